import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/rooms/protocol.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { userById } from '../accounts/queries.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import { getRoom, listRooms, looksAfter, roomAdmins, roomByFoldedName, roomById } from './queries.ts'

/** `/api/rooms`: the list, one room, who looks after it, and a room's id by its name. */
export function roomRoutes(app: NodeApp, world: World): void {
  const activeUsers = (roomId: number) => world.presence.countIn(roomId)

  mount(app, world, routes.listRooms, () => listRooms(world.read, activeUsers))

  mount(app, world, routes.roomIdByName, ({ input }) => {
    const room = world.read.get(roomByFoldedName, { foldedName: foldName(input.name) })
    return room ? { success: true as const, id: room.id } : refuse('RoomNotFound')
  })

  mount(app, world, routes.roomById, ({ input }) =>
    world.read.snapshot((reader) => {
      const room = getRoom(reader, input.id, activeUsers(input.id))
      if (!room) return refuse('RoomNotFound')
      const owner = room.ownerId === null ? undefined : reader.get(userById, { id: room.ownerId })
      const Admins = reader.all(roomAdmins, { roomId: room.id })
      return { success: true as const, room: { ...room, Admins }, ownerUsername: owner?.username ?? null }
    }),
  )

  mount(app, world, routes.isRoomAdmin, ({ input: { id, userId } }) =>
    world.read.snapshot((reader) => {
      const room = reader.get(roomById, { id })
      return room ? { success: true as const, isAdmin: looksAfter(reader, userId, room) } : refuse('RoomNotFound')
    }),
  )
}
