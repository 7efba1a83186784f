import type { PostId } from '../../shared/protocol/ids.ts'
import type { Reader } from '../database/read.ts'
import { canViewProfileOf, type ProfileViewer } from '../profiles/access.ts'
import { findPost, type PostRow } from './queries.ts'

/** The post if this viewer may see it: who may see the profile, and an archived one its owner alone. */
export function findVisiblePost(reader: Pick<Reader, 'get'>, viewer: ProfileViewer, id: PostId): PostRow | undefined {
  const row = findPost(reader, id)
  return row && canSeePost(reader, viewer, row) ? row : undefined
}

/** Whether this viewer may see a post that is not deleted. */
export function canSeePost(
  reader: Pick<Reader, 'get'>,
  viewer: ProfileViewer,
  { userId, isArchived }: Pick<PostRow, 'userId' | 'isArchived'>,
): boolean {
  return userId === viewer.userId || (isArchived === 0 && canViewProfileOf(reader, viewer, userId))
}
