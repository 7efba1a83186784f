import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { canRead, type Viewer } from '../../kernel/live/visibility.ts'
import { getRemovedRanges, notRemoved } from '../message-removal/queries.ts'
import { query } from '../schema/query.ts'

/** Messages read at most to find one whose sender the viewer has not blocked. */
const MAX_SKIPPED_MESSAGES = 100

const latestMessages = query<{ roomId: RoomId; above: number; viewerId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId as actorId', 'audience'])
    .where('roomId', '=', p('roomId'))
    // Skips a cleared range by the index: its rows may not be deleted yet.
    .where('id', '>', p('above'))
    .where((eb) => eb.or([eb('audience', 'is', null), eb('senderId', '=', p('viewerId'))]))
    .where(notRemoved)
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/** The id of the newest message of a room for everybody or by this viewer, whom the viewer has not blocked; 0 if there is none. */
export function getLastVisibleMessageId(
  reader: Pick<Reader, 'all' | 'get'>,
  roomId: RoomId,
  viewer: Viewer | null,
): number {
  const limit = viewer && viewer.blockedIds.size > 0 ? MAX_SKIPPED_MESSAGES : 1
  const above = getRemovedRanges(reader, roomId).roomUpToId
  const rows = reader.all(latestMessages, { roomId, above, viewerId: viewer?.userId ?? 0, limit })
  return rows.find((row) => viewer === null || canRead(viewer, row))?.id ?? 0
}
