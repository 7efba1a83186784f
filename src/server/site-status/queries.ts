import type { RoomId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { canRead, type Viewer } from '../live/visibility.ts'
import { getRemovedRanges, notRemoved } from '../moderation/queries.ts'

/** So many messages are looked at for one that is not of somebody whom the viewer has blocked. */
const MAX_SKIPPED_MESSAGES = 100

const latestPublicMessages = query<{ roomId: RoomId; above: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId as actorId', 'audience'])
    .where('roomId', '=', p('roomId'))
    // Of what was cleared there may be much that still has to be deleted.
    .where('id', '>', p('above'))
    .where('audience', 'is', null)
    .where(notRemoved)
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/**
 * The last message of a room that is there and that everybody may see, this viewer among them; 0 where there is none.
 */
export function getLastVisibleMessageId(
  reader: Pick<Reader, 'all' | 'get'>,
  roomId: RoomId,
  viewer: Viewer | null,
): number {
  const limit = viewer && viewer.blockedIds.size > 0 ? MAX_SKIPPED_MESSAGES : 1
  const rows = reader.all(latestPublicMessages, { roomId, above: getRemovedRanges(reader, roomId).roomUpToId, limit })
  return rows.find((row) => viewer === null || canRead(viewer, row))?.id ?? 0
}
