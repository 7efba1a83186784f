import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { MAX_LISTED_ADMIN_ROOMS, MAX_OWNED_ROOMS, type OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { BASIS_POINTS } from '../../../shared/rooms/rules.ts'
import { toLira } from '../../../shared/wallet/ledger.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

const columns = ['id', 'name', 'capacity', 'isList', 'isActive', 'ownerId', 'expiryDate'] as const

const ownedRooms = query<{ ownerId: UserId; isActive: 0 | 1; limit: number }>()((db, p) =>
  db
    .selectFrom('room')
    .select(columns)
    .where('ownerId', '=', p('ownerId'))
    .where('isActive', '=', p('isActive'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const adminRooms = query<{ userId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('roomAdmin')
    .innerJoin('room', 'room.id', 'roomAdmin.roomId')
    .select(columns)
    .where('roomAdmin.userId', '=', p('userId'))
    .where('room.isActive', '=', 1)
    .orderBy('roomAdmin.roomId', 'desc')
    .limit(p('limit')),
)
const countOwnedRooms = query<{ ownerId: UserId }>()((db, p) =>
  db
    .selectFrom('room')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ownerId', '=', p('ownerId')),
)
const latestOrderOf = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('roomOrder')
    .select(['capacityOptionId', 'durationOptionId', 'months', 'discountBasisPoints', 'priceKurus'])
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1),
)
/** Rooms whose time has come: active ones that expired before, or inactive ones that did not. */
export const roomsExpiredBefore = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('room')
    .select(['id', 'name', 'isList', 'ownerId'])
    .where('isActive', '=', 1)
    .where('expiryDate', '<', p('before'))
    .orderBy('expiryDate')
    .limit(p('limit')),
)
export const inactiveRoomsExpiringFrom = query<{ from: number; limit: number }>()((db, p) =>
  db
    .selectFrom('room')
    .select(['id', 'name', 'isList', 'ownerId'])
    .where('isActive', '=', 0)
    .where('expiryDate', '>=', p('from'))
    .orderBy('expiryDate')
    .limit(p('limit')),
)

/** The row of a room as the changes of its term need it. */
export interface TermRoom {
  id: RoomId
  name: string
  isList: 0 | 1
  ownerId: UserId | null
}

/** How many rooms a user owns, deactivated ones counted. */
export function ownedRoomCount(reader: Pick<Reader, 'get'>, ownerId: UserId): number {
  return reader.get(countOwnedRooms, { ownerId })?.count ?? 0
}

/** What was bought last for a room, as the wire has it. */
export function latestOrder(reader: Pick<Reader, 'get'>, roomId: RoomId) {
  const order = reader.get(latestOrderOf, { roomId })
  return {
    capacityOptionId: order?.capacityOptionId ?? null,
    durationOptionId: order?.durationOptionId ?? null,
    duration: order?.months ?? null,
    discount: order ? order.discountBasisPoints / BASIS_POINTS : null,
    price: order ? toLira(order.priceKurus) : null,
  }
}

type RoomRow = Omit<OwnRoom, 'isList' | 'isActive' | 'activeUsers'> & { isList: 0 | 1; isActive: 0 | 1 }
type CountOf = (roomId: RoomId) => number

/** The active or the deactivated rooms of their owner, the latest first. */
export function listOwnedRooms(
  reader: Pick<Reader, 'all'>,
  { ownerId, isActive, countOf }: { ownerId: UserId; isActive: boolean; countOf: CountOf },
): OwnRoom[] {
  const rows = reader.all(ownedRooms, { ownerId, isActive: isActive ? 1 : 0, limit: MAX_OWNED_ROOMS })
  return rows.map((row) => toOwnRoom(row, countOf))
}

/** The active rooms of which the user is an admin, the latest first. */
export function listAdminRooms(reader: Pick<Reader, 'all'>, userId: UserId, countOf: CountOf): OwnRoom[] {
  return reader.all(adminRooms, { userId, limit: MAX_LISTED_ADMIN_ROOMS }).map((row) => toOwnRoom(row, countOf))
}

function toOwnRoom({ isList, isActive, ...row }: RoomRow, countOf: CountOf): OwnRoom {
  return { ...row, isList: isList === 1, isActive: isActive === 1, activeUsers: countOf(row.id) }
}
