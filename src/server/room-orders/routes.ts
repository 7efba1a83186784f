import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/room-orders/own-rooms-protocol.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transact.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { canViewProfileOf } from '../profiles/access.ts'
import { listAdminRooms, listOwnedRooms } from './queries.ts'

/** `/api/rooms/created-by`, `/inactive` and `/admin-rooms`: the rooms of one user. */
export function roomOrderRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, presence } = appContext
  const countOf = (roomId: RoomId) => presence.roomCount(roomId)

  registerRoute(app, appContext, routes.roomsCreatedBy, ({ input: { id }, actor }) =>
    reader.snapshot((snapshot) => {
      const rooms = listOwnedRooms(snapshot, { ownerId: id, isActive: true, countOf })
      if (ownsOrManages(actor, id)) return { success: true as const, rooms }
      const isVisible = canViewProfileOf(snapshot, actor, id)
      return { success: true as const, rooms: isVisible ? rooms.filter(({ isList }) => isList) : [] }
    }),
  )
  registerRoute(app, appContext, routes.inactiveRooms, ({ input: { id }, actor }) =>
    ownsOrManages(actor, id)
      ? { success: true as const, rooms: listOwnedRooms(reader, { ownerId: id, isActive: false, countOf }) }
      : refuse('Forbidden'),
  )
  registerRoute(app, appContext, routes.adminRooms, ({ input: { id }, actor }) =>
    ownsOrManages(actor, id)
      ? { success: true as const, rooms: listAdminRooms(reader, id, countOf) }
      : refuse('Forbidden'),
  )
}

function ownsOrManages({ userId, role }: Actor, id: UserId): boolean {
  return userId === id || role === 'rootadmin'
}
