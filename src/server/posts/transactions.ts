import type { PostCounts } from '../../shared/posts/post.ts'
import type { PostId, UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import { type Stream, userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'
import { countsOf, findPost, type PostRow } from './queries.ts'
import { postsStream } from './streams.ts'

/** What a user who has commented adds to the score of a post (docs/decisions/0028). */
const COMMENTER_SCORE = 2

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
    .limit(1),
)

/** The id of a new row: higher than every earlier one, those of deleted rows included. */
export function nextId(tx: Transaction, name: 'post' | 'comment'): number {
  tx.run(raiseSequence, { name })
  const row = tx.get(sequence, { name })
  if (!row) throw new Error(`the sequence ${name} has no row`)
  return row.lastId
}

/** Changes how many posts the profile of this user shows. */
export function changePostTotal(tx: Transaction, userId: UserId, change: 1 | -1): void {
  tx.run(changeTotal, { userId, first: Math.max(change, 0), change })
}

/** Counts a like that was just given or taken back, and emits the counts. */
export function countLike(tx: Transaction, postId: PostId, like: NonNullable<PostCounts['like']>): void {
  const change = like.isLiked ? 1 : -1
  tx.run(addToCounts, { id: postId, likes: change, comments: 0, score: change })
  emitCounts(tx, postId, like)
}

/** Counts a comment that was just inserted or deleted. @param hasOthers whether its author has other comments here */
export function countComment(tx: Transaction, postId: PostId, change: 1 | -1, hasOthers: boolean): void {
  tx.run(addToCounts, { id: postId, likes: 0, comments: change, score: hasOthers ? 0 : change * COMMENTER_SCORE })
}

/** Whether the user has a comment on the post. */
export function hasCommented(tx: Transaction, userId: UserId, postId: PostId): boolean {
  return tx.get(commentOf, { userId, postId }) !== undefined
}

/** Emits the present counts of a post. */
export function emitCounts(tx: Transaction, postId: PostId, like: PostCounts['like']): void {
  const row = findPost(tx, postId)
  if (!row) return
  tx.emit({ stream: streamOfPost(row), name: 'postCountsChanged', payload: countsOf(tx, row, like) })
}

/** The stream of a post's events: that of its owner's posts; of an archived one that of the owner. */
export function streamOfPost({ userId, isArchived }: Pick<PostRow, 'userId' | 'isArchived'>): Stream {
  return isArchived === 1 ? userStream(userId) : postsStream(userId)
}
