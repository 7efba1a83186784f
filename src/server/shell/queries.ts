import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'

const lastForAll = query<{ roomId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('roomId', '=', p('roomId'))
    .where('audience', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)

/** The last message of a room that everybody may see; 0 where there is none. */
export function lastMessageId(reader: Reader, roomId: number): number {
  return reader.get(lastForAll, { roomId })?.id ?? 0
}
