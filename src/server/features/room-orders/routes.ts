import * as v from 'valibot'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { routes as purchases } from '../../../shared/room-orders/orders-protocol.ts'
import { routes } from '../../../shared/room-orders/own-rooms-protocol.ts'
import { RoomName } from '../../../shared/room-orders/room-name.ts'
import { ORDER_FIELDS_MISSING } from '../../../shared/room-orders/texts.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { hasRoomLookAlike } from '../../model/name-skeletons/queries.ts'
import { canViewProfileOf } from '../../model/profiles/access.ts'
import { listAdminRooms, listOwnedRooms } from '../../model/rooms/order-queries.ts'
import { roomByFoldedName } from '../../model/rooms/queries.ts'
import { orderRoom } from './order-room.ts'
import { renewRoom } from './renew-room.ts'

/** `/api/rooms`: orders, renewals, and the rooms of one user. */
export function roomOrderRoutes(app: NodeApp, appContext: AppContext): void {
  purchaseRoutes(app, appContext)
  listRoutes(app, appContext)
}

function purchaseRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, presence, reader } = appContext

  registerRoute(app, appContext, purchases.isRoomNameFree, ({ input: { name } }) => {
    const isTaken = reader.get(roomByFoldedName, { foldedName: foldName(name) }) || hasRoomLookAlike(reader, name)
    const isFree = v.is(RoomName, name) && !isTaken
    return { success: true as const, isFree }
  })

  registerRoute(app, appContext, purchases.orderRoom, ({ input, actor, clientId }) =>
    execute(orderRoom, actor, input, { clientId }),
  )
  registerRoute(app, appContext, purchases.renewRoom, async ({ input, actor, clientId }) => {
    const { id, roomId = id, price } = input
    const capacityOptionId = input.capacityOptionId ?? input.capacityId
    const durationOptionId = input.durationOptionId ?? input.durationId
    if (roomId !== id || capacityOptionId === undefined || durationOptionId === undefined)
      return refuse('InvalidInput', { message: ORDER_FIELDS_MISSING })
    const choice = { roomId, capacityOptionId, durationOptionId, price }
    const answer = await execute(renewRoom, actor, choice, { clientId })
    if (answer instanceof Refusal) return answer
    return { ...answer, room: { ...answer.room, activeUsers: presence.roomCount(roomId, actor) } }
  })
}

function listRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, presence } = appContext
  const countFor = (actor: Actor) => (roomId: RoomId) => presence.roomCount(roomId, actor)

  registerRoute(app, appContext, routes.roomsCreatedBy, ({ input: { id }, actor }) =>
    reader.snapshot((snapshot) => {
      const rooms = listOwnedRooms(snapshot, { ownerId: id, isActive: true, countOf: countFor(actor) })
      if (ownsOrManages(actor, id)) return { success: true as const, rooms }
      const isVisible = canViewProfileOf(snapshot, actor, id)
      return { success: true as const, rooms: isVisible ? rooms.filter(({ isList }) => isList) : [] }
    }),
  )
  registerRoute(app, appContext, routes.inactiveRooms, ({ input: { id }, actor }) =>
    ownsOrManages(actor, id)
      ? {
          success: true as const,
          rooms: listOwnedRooms(reader, { ownerId: id, isActive: false, countOf: countFor(actor) }),
        }
      : refuse('Forbidden'),
  )
  registerRoute(app, appContext, routes.adminRooms, ({ input: { id }, actor }) =>
    ownsOrManages(actor, id)
      ? { success: true as const, rooms: listAdminRooms(reader, id, countFor(actor)) }
      : refuse('Forbidden'),
  )
}

function ownsOrManages({ userId, role }: Actor, id: UserId): boolean {
  return userId === id || role === 'rootadmin'
}
