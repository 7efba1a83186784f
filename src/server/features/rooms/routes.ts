import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/rooms/protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { authentication } from '../../kernel/http/authentication.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { userById } from '../../model/accounts/queries.ts'
import { findContentRefusal } from '../../model/rooms/access.ts'
import { latestOrder } from '../../model/rooms/order-queries.ts'
import { isRoomStaff, type RoomRow, roomAdmins, roomByFoldedName, roomById, toRoom } from '../../model/rooms/queries.ts'
import { roomList } from './room-list.ts'

/** What a room shows to those who enter it. */
const HIDDEN_IN_CLOSED_ROOM = {
  greetingMessage: null,
  backgroundImage: null,
  smallBackgroundImage: null,
  backgroundImageHash: null,
} as const

/** `/api/rooms`: the list, a room with its admins, a room's id by name, and whether a user is room staff. */
export function roomRoutes(app: NodeApp, appContext: AppContext): void {
  // A ghost-banned user counts in the own room.
  const findPresenceViewer = (context: NodeContext) =>
    appContext.presence.hasGhosts() ? findViewer(appContext, context) : null

  registerRoute(app, appContext, routes.listRooms, async ({ context }) =>
    appContext.service(roomList).all(appContext.reader, await findPresenceViewer(context)),
  )

  registerRoute(app, appContext, routes.roomIdByName, ({ input }) => {
    const room = appContext.reader.get(roomByFoldedName, { foldedName: foldName(input.name) })
    return room ? { success: true as const, id: room.id } : refuse('RoomNotFound')
  })

  registerRoute(app, appContext, routes.roomById, async ({ input, context }) => {
    // A session is looked up only where it makes a difference.
    const viewer = await (isOpenToAll(appContext.reader.get(roomById, input))
      ? findPresenceViewer(context)
      : findViewer(appContext, context))
    return appContext.reader.snapshot((reader) => {
      const row = reader.get(roomById, { id: input.id })
      if (!row) return refuse('RoomNotFound')
      const whole = toRoom(row, appContext.presence.roomCount(row.id, viewer))
      const isOpen = isOpenToAll(row) || (viewer && !findContentRefusal(appContext, reader, viewer, row.id))
      const room = isOpen ? whole : { ...whole, ...HIDDEN_IN_CLOSED_ROOM }
      const owner = room.ownerId === null ? undefined : reader.get(userById, { id: room.ownerId })
      const Admins = reader.all(roomAdmins, { roomId: room.id })
      return {
        success: true as const,
        room: { ...room, ...latestOrder(reader, room.id), Admins },
        ownerUsername: owner?.username ?? null,
      }
    })
  })

  registerRoute(app, appContext, routes.isRoomAdmin, ({ input: { id, userId } }) =>
    appContext.reader.snapshot((reader) => {
      const room = reader.get(roomById, { id })
      return room ? { success: true as const, isAdmin: isRoomStaff(reader, userId, room) } : refuse('RoomNotFound')
    }),
  )
}

async function findViewer(appContext: AppContext, context: NodeContext): Promise<Actor | null> {
  const found = await appContext.service(authentication).authenticateRequest(context)
  return found instanceof Refusal ? null : found
}

/** Whether everyone who signs in may enter the room, as far as it has no password. */
function isOpenToAll(room: Pick<RoomRow, 'isActive' | 'passwordHash'> | undefined): boolean {
  return room?.isActive === 1 && room.passwordHash === null
}
