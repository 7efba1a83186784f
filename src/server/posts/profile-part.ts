import type { ProfilePart } from '../profiles/queries.ts'
import { viewerOf } from '../relations/queries.ts'
import { listPosts } from './queries.ts'

/** The latest posts, for those who may see the profile; further pages come from `GET /posts/user/{id}`. */
export const profilePart: ProfilePart = (reader, { user, actor, status }) => {
  if (!status.canViewProfile) return { posts: [] }
  const list = { userId: user.id, isArchived: false, sort: 'createdAt_DESC' } as const
  return { posts: listPosts(reader, viewerOf(reader, actor), list).posts }
}
