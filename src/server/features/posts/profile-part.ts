import { listPosts } from '../../model/posts/queries.ts'
import type { ProfilePart } from '../../model/profiles/queries.ts'
import { viewerOf } from '../../model/relations/queries.ts'

/** The latest posts, for those who may see the profile; further pages come from `GET /posts/user/{id}`. */
export const profilePart: ProfilePart = (reader, { user, actor, status }) => {
  if (!status.canViewProfile) return { posts: [] }
  const list = { userId: user.id, isArchived: false, sort: 'createdAt_DESC' } as const
  return { posts: listPosts(reader, viewerOf(reader, actor), list).posts }
}
