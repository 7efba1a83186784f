import type { PostId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { canReceive, NO_BLOCKS } from '../../kernel/live/visibility.ts'
import { canViewProfileOf, type ProfileViewer } from '../profiles/access.ts'
import { findPost, type PostRow } from './queries.ts'

/**
 * The post if this viewer may see it: who may see the profile, an archived one its owner alone, and one from a ghost ban
 * its owner and root admins.
 */
export function findVisiblePost(reader: Pick<Reader, 'get'>, viewer: ProfileViewer, id: PostId): PostRow | undefined {
  const row = findPost(reader, id)
  return row && canSeePost(reader, viewer, row) ? row : undefined
}

/** Whether this viewer may see a post that is not deleted. */
export function canSeePost(
  reader: Pick<Reader, 'get'>,
  viewer: ProfileViewer,
  { userId, isArchived, audience }: Pick<PostRow, 'userId' | 'isArchived' | 'audience'>,
): boolean {
  const receiver = { ...viewer, sessionId: 0, blockedIds: NO_BLOCKS }
  if (!canReceive(receiver, { actorId: userId, audience })) return false
  return userId === viewer.userId || (isArchived === 0 && canViewProfileOf(reader, viewer, userId))
}
