import { REPORTED_COMMENTS } from '../../shared/posts/limits.ts'
import { POST_NOT_FOUND_TEXT, POST_REPORTED_TEXT } from '../../shared/posts/texts.ts'
import type { PostId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { findVisiblePost } from './access.ts'
import { latestComments } from './queries.ts'

const reportOf = query<{ postId: PostId; reporterId: UserId }>()((db, p) =>
  db.selectFrom('postReport').select('id').where('postId', '=', p('postId')).where('reporterId', '=', p('reporterId')),
)
const insertReport = query<{
  postId: PostId
  reporterId: UserId
  reportedId: UserId
  content: string
  now: number
}>()((db, p) =>
  db.insertInto('postReport').values({
    postId: p('postId'),
    reporterId: p('reporterId'),
    reportedId: p('reportedId'),
    content: p('content'),
    createdAt: p('now'),
  }),
)
const keepPost = query<{ id: PostId }>()((db, p) =>
  db.updateTable('post').set({ isReported: 1 }).where('id', '=', p('id')),
)

/**
 * Keeps a post that the actor may see, with its latest comments and its files, for the root admins. Refuses with NotFound,
 * or Forbidden for one's own. Nobody else is notified.
 */
export const reportPost = defineWrite({
  name: 'reportPost',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(
    tx: Transaction,
    actor: Actor | null,
    { postId }: { postId: PostId },
  ): { success: true; message: string } | Refusal {
    const post = actor && findVisiblePost(tx, actor, postId)
    if (!post) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    const reporterId = actor.userId
    if (post.userId === reporterId) return refuse('Forbidden')
    if (!tx.get(reportOf, { postId, reporterId })) {
      const content = JSON.stringify({ post, comments: latestComments(tx, postId, REPORTED_COMMENTS) })
      tx.run(insertReport, { postId, reporterId, reportedId: post.userId, content, now: tx.now })
      tx.run(keepPost, { id: postId })
    }
    return { success: true, message: POST_REPORTED_TEXT }
  },
})
