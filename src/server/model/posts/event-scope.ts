import type { UserId } from '../../../shared/protocol/ids.ts'
import type { VisibilityParams } from '../../kernel/live/visible-to.ts'
import type { PostRow } from './queries.ts'

/** A like or a comment: its author, and for whom it is. */
export type Authorship = { userId: UserId; audience: 'actor' | null }

/** Whose event it is, and who receives it (kernel/live/visibility.ts). */
interface EventScope {
  actorId: UserId
  audience: 'actor' | null
}

/** With whose eyes an event about a like or a comment counts and lists: its receivers are everybody, or its author and root admins. */
export function visibilityOfEvent(post: PostRow, { userId, audience }: Authorship): VisibilityParams {
  if (post.audience !== null) return { viewerId: 0, readsAll: 1 }
  return { viewerId: audience === null ? 0 : userId, readsAll: 0 }
}

/** The scope of an event about a like or a comment: only the owner and root admins receive those of a hidden post. */
export function scopeOf(post: PostRow, { userId, audience }: Authorship): EventScope {
  return post.audience === null ? { actorId: userId, audience } : scopeOfPost(post)
}

/** The scope of an event about a post itself. */
export function scopeOfPost({ userId, audience }: Authorship): EventScope {
  return { actorId: userId, audience }
}
