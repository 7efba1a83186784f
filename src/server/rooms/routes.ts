import type { RoomId } from '../../shared/protocol/ids.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/rooms/protocol.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { userById } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { latestOrder } from '../room-orders/queries.ts'
import { getRoom, isRoomStaff, roomAdmins, roomByFoldedName, roomById } from './queries.ts'

/** `/api/rooms`: the list, a room with its admins, a room's id by name, and whether a user is room staff. */
export function roomRoutes(app: NodeApp, appContext: AppContext): void {
  const activeUsers = (roomId: RoomId) => appContext.presence.roomCount(roomId)

  registerRoute(app, appContext, routes.listRooms, () => appContext.services().roomList.all(appContext.reader))

  registerRoute(app, appContext, routes.roomIdByName, ({ input }) => {
    const room = appContext.reader.get(roomByFoldedName, { foldedName: foldName(input.name) })
    return room ? { success: true as const, id: room.id } : refuse('RoomNotFound')
  })

  registerRoute(app, appContext, routes.roomById, ({ input }) =>
    appContext.reader.snapshot((reader) => {
      const room = getRoom(reader, input.id, activeUsers(input.id))
      if (!room) return refuse('RoomNotFound')
      const owner = room.ownerId === null ? undefined : reader.get(userById, { id: room.ownerId })
      const Admins = reader.all(roomAdmins, { roomId: room.id })
      return {
        success: true as const,
        room: { ...room, ...latestOrder(reader, room.id), Admins },
        ownerUsername: owner?.username ?? null,
      }
    }),
  )

  registerRoute(app, appContext, routes.isRoomAdmin, ({ input: { id, userId } }) =>
    appContext.reader.snapshot((reader) => {
      const room = reader.get(roomById, { id })
      return room ? { success: true as const, isAdmin: isRoomStaff(reader, userId, room) } : refuse('RoomNotFound')
    }),
  )
}
