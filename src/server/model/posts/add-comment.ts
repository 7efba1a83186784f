import { MAX_COMMENT_LENGTH, MAX_COMMENT_LINES } from '../../../shared/posts/limits.ts'
import type { PostComment, PostCounts } from '../../../shared/posts/post.ts'
import { COMMENT_EMPTY_TEXT, POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { MEMBERS_ONLY_TEXT } from '../../../shared/protocol/members-only.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { normaliseMessage } from '../../../shared/room-chat/rules.ts'
import { limitLines } from '../../../shared/text/plain-text.ts'
import { audienceOfActor } from '../../kernel/database/events/actor-audience.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { visibilityOf } from '../../kernel/live/visible-to.ts'
import { userById } from '../accounts/queries.ts'
import { resolveMentions } from '../conversations/mentions.ts'
import { insertRow } from '../schema/query.ts'
import { screenText } from '../text-screening/transactions.ts'
import { findVisiblePost } from './access.ts'
import { scopeOf } from './event-scope.ts'
import { notifyOfComment } from './notify.ts'
import { countsOf, findPost, latestComments } from './queries.ts'
import { countComment, emitCounts, hasCommented, nextId, streamOfPost } from './transactions.ts'

export interface CommentPost {
  postId: PostId
  content: string
}
type CommentAnswer = { success: true; comment: PostComment; counts: PostCounts }

const insertComment = insertRow('postComment', ['id', 'postId', 'userId', 'content', 'createdAt', 'audience'])

/** Comments on a post. Refuses with InvalidInput when nothing visible is left, NotFound, or Forbidden for guests. */
export function addComment(tx: Transaction, actor: Actor | null, input: CommentPost): CommentAnswer | Refusal {
  if (!actor) return refuse('NotSignedIn')
  if (actor.role === 'guest') return refuse('Forbidden', { message: MEMBERS_ONLY_TEXT })
  const row = findVisiblePost(tx, actor, input.postId)
  if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
  const text = limitLines(normaliseMessage(input.content), MAX_COMMENT_LINES)
  if (!text) return refuse('InvalidInput', { message: COMMENT_EMPTY_TEXT, path: 'content' })
  const sender = tx.get(userById, { id: actor.userId })
  if (!sender) return refuse('SessionEnded')
  const place = { kind: 'comment', postId: row.id } as const
  const submitted = screenText(tx, { sender, place, text, maxLength: MAX_COMMENT_LENGTH })
  if (submitted instanceof Refusal) return submitted
  const { content, mentioned } = resolveMentions(tx, submitted)
  const [postId, { userId }] = [row.id, actor]
  const hasOthers = hasCommented(tx, userId, postId)
  const author = { userId, audience: audienceOfActor(tx.cached, userId) }
  tx.run(insertComment, { id: nextId(tx, 'comment'), postId, content, createdAt: tx.now, ...author })
  countComment(tx, { postId, ...author }, 1, hasOthers)
  const visibility = visibilityOf(actor)
  const [comment] = latestComments(tx, visibility, postId, 1)
  if (!comment) throw new Error(`a comment on the post ${postId} has no row`)
  const payload = { userId: row.userId, comment }
  tx.emit({ stream: streamOfPost(row), name: 'postCommented', payload, ...scopeOf(row, author) })
  emitCounts(tx, postId, author)
  notifyOfComment(tx, row, { id: comment.id, content, senderId: userId, mentioned })
  return { success: true, comment, counts: countsOf(tx, visibility, findPost(tx, postId) ?? row, null) }
}
