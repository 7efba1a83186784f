import type { PostCounts } from '../../../shared/posts/post.ts'
import { POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { MEMBERS_ONLY_TEXT } from '../../../shared/protocol/members-only.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { audienceOfActor } from '../../kernel/database/events/actor-audience.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { visibilityOf } from '../../kernel/live/visible-to.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import { notifyOfLike } from '../../model/posts/notify.ts'
import { countsOf, findLike, findPost } from '../../model/posts/queries.ts'
import { countLike } from '../../model/posts/transactions.ts'
import { insertRow, query } from '../../model/schema/query.ts'

export interface SetLike {
  postId: PostId
  isLiked: boolean
}

const insertLike = insertRow('postLike', ['postId', 'userId', 'createdAt', 'audience'])
const deleteLike = query<{ postId: PostId; userId: UserId }>()((db, p) =>
  db.deleteFrom('postLike').where('postId', '=', p('postId')).where('userId', '=', p('userId')),
)

/** Likes a post or takes the like back; a repetition changes nothing. Refuses with NotFound, or Forbidden for guests. */
export const setLike = defineCommand({
  name: 'setPostLike',
  run(tx: Transaction, actor: Actor | null, { postId, isLiked }: SetLike): ({ success: true } & PostCounts) | Refusal {
    if (!actor) return refuse('NotSignedIn')
    if (actor.role === 'guest') return refuse('Forbidden', { message: MEMBERS_ONLY_TEXT })
    const row = findVisiblePost(tx, actor, postId)
    if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    const { userId } = actor
    const like = { userId, isLiked }
    const before = findLike(tx, postId, userId)
    if ((before !== undefined) !== isLiked) {
      const { audience } = before ?? { audience: audienceOfActor(tx.cached, userId) }
      if (isLiked) tx.run(insertLike, { postId, userId, createdAt: tx.now, audience })
      else tx.run(deleteLike, { postId, userId })
      countLike(tx, postId, { ...like, audience })
      notifyOfLike(tx, row, userId, isLiked)
    }
    return { success: true, ...countsOf(tx, visibilityOf(actor), findPost(tx, postId) ?? row, like) }
  },
})
