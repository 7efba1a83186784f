import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { mayRead, type Viewer } from '../live/visibility.ts'
import { goneFrom, isThere } from '../moderation/queries.ts'

/** So many messages are looked at for one that is not of somebody whom the viewer has blocked. */
const MOST_PASSED_BY = 100

const latestForAll = query<{ roomId: number; above: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId as actorId', 'audience'])
    .where('roomId', '=', p('roomId'))
    // Of what was cleared there may be much that still has to be deleted.
    .where('id', '>', p('above'))
    .where('audience', 'is', null)
    .where(isThere)
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/**
 * The last message of a room that is there and that everybody may see, this viewer among them; 0 where there is none.
 */
export function lastMessageId(reader: Pick<Reader, 'all' | 'get'>, roomId: number, viewer: Viewer | null): number {
  const limit = viewer && viewer.blocked.size > 0 ? MOST_PASSED_BY : 1
  const rows = reader.all(latestForAll, { roomId, above: goneFrom(reader, roomId).upToId, limit })
  return rows.find((row) => viewer === null || mayRead(viewer, row))?.id ?? 0
}
