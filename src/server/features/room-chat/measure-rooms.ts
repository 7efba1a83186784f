import { sql } from 'kysely'
import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { MAX_MESSAGE_LENGTH } from '../../../shared/room-chat/limits.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../../model/schema/query.ts'

/** Rows that one step reads, which takes a few milliseconds. */
const STEP_ROWS = 2_000
/** What a message takes beside its text: its row, three indexes and its words. */
export const MESSAGE_OVERHEAD_BYTES = 200
const MAX_MESSAGE_BYTES = 3 * MAX_MESSAGE_LENGTH + MESSAGE_OVERHEAD_BYTES

const roomIds = query()((db) => db.selectFrom('room').select('id'))
const messageAtOffset = query<{ roomId: RoomId; offset: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1)
    .offset(p('offset')),
)
const sizesBefore = query<{ roomId: RoomId; before: MessageId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', sql<number>`octet_length(content)`.as('textBytes')])
    .where('roomId', '=', p('roomId'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(STEP_ROWS),
)

/** The rooms with so many messages that they may take more than `maxBytes`. Reads an index only. */
export function findLargeRooms(reader: Pick<Reader, 'all' | 'get'>, { maxBytes }: { maxBytes: number }): RoomId[] {
  const offset = Math.floor(maxBytes / MAX_MESSAGE_BYTES)
  const isLarge = (roomId: RoomId) => reader.get(messageAtOffset, { roomId, offset }) !== undefined
  return reader.all(roomIds).flatMap(({ id }) => (isLarge(id) ? [id] : []))
}

/** A measurement of a room under way, from the newest message to older ones. */
export interface RoomMeasurement {
  roomId: RoomId
  maxBytes: number
  /** Of the messages from `before` on. */
  bytes: number
  before: MessageId
}

/** The next step of a measurement; `firstExcess` is the newest message with which the room has more than it may. */
export type MeasuredStep = { next: RoomMeasurement } | { firstExcess: MessageId | null }

export function measureRoomStep(reader: Pick<Reader, 'all'>, measurement: RoomMeasurement): MeasuredStep {
  const { roomId, before, maxBytes } = measurement
  const rows = reader.all(sizesBefore, { roomId, before })
  let { bytes } = measurement
  for (const { id, textBytes } of rows) {
    bytes += textBytes + MESSAGE_OVERHEAD_BYTES
    if (bytes > maxBytes) return { firstExcess: id }
  }
  const last = rows.at(-1)
  return last && rows.length === STEP_ROWS
    ? { next: { ...measurement, bytes, before: last.id } }
    : { firstExcess: null }
}
