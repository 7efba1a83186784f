import { sql } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

const roomRemoval = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('removal')
    .select((eb) => eb.fn.max<number | null>('upToId').as('upToId'))
    .where('roomId', '=', p('roomId')),
)

const senderRemovals = query()((db) =>
  db
    .selectFrom('removal')
    .select(['senderId', (eb) => eb.fn.max<number>('upToId').as('upToId')])
    .where('senderId', 'is not', null)
    .groupBy('senderId'),
)

const roomSenderRemovals = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('roomSenderRemoval')
    .select(['senderId', (eb) => eb.fn.max<number>('upToId').as('upToId')])
    .where('roomId', '=', p('roomId'))
    .groupBy('senderId'),
)

/** Condition on a row of `message`: no removal covers it. */
export const notRemoved = sql<boolean>`not exists (
  select 1 from removal
  where removal.upToId >= message.id and (removal.roomId = message.roomId or removal.senderId = message.senderId)
) and not exists (
  select 1 from roomSenderRemoval as one
  where one.roomId = message.roomId and one.senderId = message.senderId and one.upToId >= message.id
)`

/** The removed messages of a room, some of which may not be deleted yet. */
export interface RemovedRanges {
  /** Every message up to this id is removed. */
  roomUpToId: MessageId
  /** Every message of the sender in the room up to this id is removed. */
  upToIdBySender: ReadonlyMap<UserId | null, MessageId>
}

/** The removed ranges of a room. Usually no deletion is pending, and the ranges are empty. */
export function getRemovedRanges(reader: Pick<Reader, 'all' | 'get'>, roomId: RoomId): RemovedRanges {
  const upToIdBySender = new Map(reader.all(senderRemovals).map(({ senderId, upToId }) => [senderId, upToId]))
  for (const { senderId, upToId } of reader.all(roomSenderRemovals, { roomId }))
    upToIdBySender.set(senderId, Math.max(upToId, upToIdBySender.get(senderId) ?? 0))
  return { roomUpToId: reader.get(roomRemoval, { roomId })?.upToId ?? 0, upToIdBySender }
}

/** Whether a message of that room is removed. */
export function isRemoved(
  { roomUpToId, upToIdBySender }: RemovedRanges,
  { id, senderId }: { id: MessageId; senderId: UserId },
): boolean {
  return id <= roomUpToId || id <= (upToIdBySender.get(senderId) ?? 0)
}
