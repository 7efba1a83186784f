import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { SlowMode } from '../../../shared/room-chat/send-limits.ts'
import { MAX_SLOW_MODE_SECONDS, VISIT_RETENTION_MS } from '../../../shared/room-management/limits.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { type RoomRow, roomById } from './queries.ts'

/** Takes the writer a few milliseconds per step. */
const TRIM_BATCH_SIZE = 500

type UserInRoom = { roomId: RoomId; userId: UserId }

const lastSlowModeMessage = query<UserInRoom>()((db, p) =>
  db.selectFrom('slowModeMessage').select('sentAt').where('roomId', '=', p('roomId')).where('userId', '=', p('userId')),
)
const upsertSlowModeMessage = query<UserInRoom & { sentAt: number }>()((db, p) =>
  db
    .insertInto('slowModeMessage')
    .values({ roomId: p('roomId'), userId: p('userId'), sentAt: p('sentAt') })
    .onConflict((conflict) => conflict.columns(['roomId', 'userId']).doUpdateSet({ sentAt: p('sentAt') })),
)
const oldSlowModeMessages = query<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('slowModeMessage').select(['roomId', 'userId']).where('sentAt', '<', p('before')).limit(p('limit')),
)
const deleteSlowModeMessage = query<UserInRoom>()((db, p) =>
  db.deleteFrom('slowModeMessage').where('roomId', '=', p('roomId')).where('userId', '=', p('userId')),
)

type SlowRoom = Pick<RoomRow, 'id' | 'slowModeSeconds'>

/** The slow mode of a room for a user who writes to it now; null when it is off. */
export function slowModeFor(tx: Transaction, { id, slowModeSeconds }: SlowRoom, userId: UserId): SlowMode | null {
  if (slowModeSeconds === 0) return null
  const last = tx.get(lastSlowModeMessage, { roomId: id, userId })
  return { intervalMs: slowModeSeconds * 1000, sinceOwnMs: last ? tx.now - last.sentAt : null }
}

/** Remembers that a user has written to a room, if its slow mode is on. */
export function recordSlowModeMessage(tx: Transaction, roomId: RoomId, userId: UserId): void {
  const room = tx.cached.get(roomById, { id: roomId })
  if (room && room.slowModeSeconds > 0) tx.run(upsertSlowModeMessage, { roomId, userId, sentAt: tx.now })
}

const oldVisits = query<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('roomVisit').select(['roomId', 'userId']).where('visitedAt', '<', p('before')).limit(p('limit')),
)
const deleteVisit = query<UserInRoom>()((db, p) =>
  db.deleteFrom('roomVisit').where('roomId', '=', p('roomId')).where('userId', '=', p('userId')),
)

const deleteVisitsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('roomVisit').where('userId', '=', p('userId')),
)

/** Forgets where a user has been. */
export function deleteVisitsOf(tx: Transaction, userId: UserId): void {
  tx.run(deleteVisitsOfUser, { userId })
}

/** One step: deletes visits that are too old to be shown; returns how many. */
export function trimVisits(tx: Transaction): number {
  const rows = tx.all(oldVisits, { before: tx.now - VISIT_RETENTION_MS, limit: TRIM_BATCH_SIZE })
  for (const row of rows) tx.run(deleteVisit, row)
  return rows.length
}

/** One step: deletes rows that no slow mode needs any more; returns how many. */
export function trimSlowModeMessages(tx: Transaction): number {
  const before = tx.now - MAX_SLOW_MODE_SECONDS * 1000
  const rows = tx.all(oldSlowModeMessages, { before, limit: TRIM_BATCH_SIZE })
  for (const row of rows) tx.run(deleteSlowModeMessage, row)
  return rows.length
}
