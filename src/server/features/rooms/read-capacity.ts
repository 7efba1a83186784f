import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { isSqliteBusy } from '../../kernel/database/sqlite-busy.ts'
import { roomById } from '../../model/rooms/queries.ts'

/** How many users a room holds; without a bound for a room that does not exist, and while the database is busy. */
export function readCapacity(reader: Pick<Reader, 'get'>, roomId: RoomId): number {
  try {
    return reader.get(roomById, { id: roomId })?.capacity ?? Number.POSITIVE_INFINITY
  } catch (error) {
    if (isSqliteBusy(error)) return Number.POSITIVE_INFINITY
    throw error
  }
}
