import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { goneFrom, isThere } from '../moderation/queries.ts'

const lastForAll = query<{ roomId: number; above: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('roomId', '=', p('roomId'))
    // Of what was cleared there may be much that still has to be deleted.
    .where('id', '>', p('above'))
    .where('audience', 'is', null)
    .where(isThere)
    .orderBy('id', 'desc')
    .limit(1),
)

/** The last message of a room that is there and that everybody may see; 0 where there is none. */
export function lastMessageId(reader: Reader, roomId: number): number {
  return reader.get(lastForAll, { roomId, above: goneFrom(reader, roomId).upToId })?.id ?? 0
}
