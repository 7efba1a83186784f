import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { VisibilityParams } from '../../kernel/live/visible-to.ts'
import { query } from '../schema/query.ts'
import type { PostRow } from './queries.ts'

/** Who sees the same likes and comments of a post, and how events to them are emitted. */
export interface ReaderGroup extends EventScope {
  visibility: VisibilityParams
}

/** Whose event it is, and who receives it (live/visibility.ts). */
export interface EventScope {
  actorId: UserId
  audience: Audience | null
}

/** A like or a comment: its author, and for whom it is. */
export type Authorship = { userId: UserId; audience: 'actor' | null }

/** Bounds the events of one change; further users get the counts of everybody. */
const MAX_PERSONAL_GROUPS = 50

const hiddenAuthors = query<{ postId: PostId; limit: number }>()((db, p) =>
  db
    .selectFrom('postLike')
    .select('userId')
    .where('postId', '=', p('postId'))
    .where('audience', 'is not', null)
    .union(
      db.selectFrom('postComment').select('userId').where('postId', '=', p('postId')).where('audience', 'is not', null),
    )
    .limit(p('limit')),
)

/**
 * The groups that see a change of the likes or comments of a post: of a like or comment that is for all, everybody, and
 * apart from them each author of one that is not; else its author. Root admins see all, so they are a group then too.
 */
export function readerGroups(tx: Transaction, post: PostRow, change: Authorship): ReaderGroup[] {
  const readsAll = { viewerId: 0, readsAll: 1 } as const
  if (post.audience !== null) return [{ ...scopeOf(post, change), visibility: readsAll }]
  const actorId = change.userId
  const rootAdmins: ReaderGroup = { actorId, audience: 'rootadmins', visibility: readsAll }
  const personal = (userId: UserId): ReaderGroup => ({
    actorId,
    audience: `user:${userId}`,
    visibility: { viewerId: userId, readsAll: 0 },
  })
  if (change.audience !== null) return [personal(change.userId), rootAdmins]
  const authors = tx.all(hiddenAuthors, { postId: post.id, limit: MAX_PERSONAL_GROUPS }).map(({ userId }) => userId)
  const audience = authors.length > 0 ? (`except:${authors.join()}` as const) : null
  const everybody: ReaderGroup = { actorId, audience, visibility: { viewerId: 0, readsAll: 0 } }
  return authors.length > 0 ? [everybody, ...authors.map(personal), rootAdmins] : [everybody]
}

/** The scope of an event about a like or a comment: only the owner and root admins receive those of a hidden post. */
export function scopeOf(post: PostRow, { userId, audience }: Authorship): EventScope {
  return post.audience === null ? { actorId: userId, audience } : scopeOfPost(post)
}

/** The scope of an event about a post itself. */
export function scopeOfPost({ userId, audience }: Authorship): EventScope {
  return { actorId: userId, audience }
}
