import type { PostCounts } from '../../../shared/posts/post.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { type Stream, userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { type Authorship, scopeOf, visibilityOfEvent } from './event-scope.ts'
import { COMMENTER_SCORE, countsOf, findPost, type PostRow } from './queries.ts'
import { postsStream } from './streams.ts'

const raiseSequence = query<{ name: 'post' | 'comment' }>()((db, p) =>
  db
    .updateTable('postSequence')
    .set((eb) => ({ lastId: eb('lastId', '+', 1) }))
    .where('name', '=', p('name')),
)
const sequence = query<{ name: 'post' | 'comment' }>()((db, p) =>
  db.selectFrom('postSequence').select('lastId').where('name', '=', p('name')),
)
const changeTotal = query<{ userId: UserId; first: number; change: number }>()((db, p) =>
  db
    .insertInto('postTotal')
    .values({ userId: p('userId'), postCount: p('first') })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({ postCount: eb('postTotal.postCount', '+', p('change')) })),
    ),
)
const addToCounts = query<{ id: PostId; likes: number; comments: number; score: number }>()((db, p) =>
  db
    .updateTable('post')
    .set((eb) => ({
      likeCount: eb('likeCount', '+', p('likes')),
      commentCount: eb('commentCount', '+', p('comments')),
      score: eb('score', '+', p('score')),
    }))
    .where('id', '=', p('id')),
)
const commentOf = query<{ userId: UserId; postId: PostId }>()((db, p) =>
  db
    .selectFrom('postComment')
    .select('id')
    .where('userId', '=', p('userId'))
    .where('postId', '=', p('postId'))
    .where('audience', 'is', null)
    .limit(1),
)

/** The id of a new row: higher than every earlier one, those of deleted rows included. */
export function nextId(tx: Transaction, name: 'post' | 'comment'): number {
  tx.run(raiseSequence, { name })
  const row = tx.get(sequence, { name })
  if (!row) throw new Error(`the sequence ${name} has no row`)
  return row.lastId
}

/** Changes how many posts the profile of the owner shows to all, unless the post is hidden. */
export function changePostTotal(
  tx: Transaction,
  { userId, audience }: Pick<PostRow, 'userId' | 'audience'>,
  change: 1 | -1,
): void {
  if (audience === null) tx.run(changeTotal, { userId, first: Math.max(change, 0), change })
}

/** Counts a like that was just given or taken back, if it is for all, and emits the counts. */
export function countLike(
  tx: Transaction,
  postId: PostId,
  { isLiked, ...author }: NonNullable<PostCounts['like']> & Authorship,
): void {
  const change = isLiked ? 1 : -1
  if (author.audience === null) tx.run(addToCounts, { id: postId, likes: change, comments: 0, score: change })
  emitCounts(tx, postId, author, { userId: author.userId, isLiked })
}

/**
 * Counts a comment that was just inserted or deleted, if it is for all.
 * @param hasOthers whether its author has other comments here
 */
export function countComment(
  tx: Transaction,
  { postId, audience }: { postId: PostId } & Pick<Authorship, 'audience'>,
  change: 1 | -1,
  hasOthers: boolean,
): void {
  if (audience !== null) return
  tx.run(addToCounts, { id: postId, likes: 0, comments: change, score: hasOthers ? 0 : change * COMMENTER_SCORE })
}

/** Whether the user has a comment on the post that is for all. */
export function hasCommented(tx: Transaction, userId: UserId, postId: PostId): boolean {
  return tx.get(commentOf, { userId, postId }) !== undefined
}

/** Emits the counts of a post after a change of its likes or comments, to those who see it. */
export function emitCounts(tx: Transaction, postId: PostId, change: Authorship, like: PostCounts['like'] = null): void {
  const row = findPost(tx, postId)
  if (!row) return
  const payload = countsOf(tx, visibilityOfEvent(row, change), row, like)
  tx.emit({ stream: streamOfPost(row), name: 'postCountsChanged', payload, ...scopeOf(row, change) })
}

/** The stream of a post's events: that of its owner's posts; of an archived one that of the owner. */
export function streamOfPost({ userId, isArchived }: Pick<PostRow, 'userId' | 'isArchived'>): Stream {
  return isArchived === 1 ? userStream(userId) : postsStream(userId)
}
