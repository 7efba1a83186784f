import { REPORTED_COMMENTS } from '../../../../shared/posts/limits.ts'
import { POST_NOT_FOUND_TEXT } from '../../../../shared/posts/texts.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { visibilityOf } from '../../../kernel/live/visible-to.ts'
import { userById } from '../../accounts/queries.ts'
import { findVisiblePost } from '../../posts/access.ts'
import { findPost, latestComments, toPost } from '../../posts/queries.ts'
import { removePost } from '../../posts/remove-post.ts'
import { viewerOf } from '../../relations/queries.ts'
import type { ReportSource } from '../queries.ts'

/** A post that the actor may see, with its latest comments and its files. Refuses with NotFound. */
export const postSource: ReportSource<'post'> = {
  capture(tx, actor, { postId }) {
    const row = findVisiblePost(tx, actor, postId)
    const owner = row && tx.get(userById, { id: row.userId })
    if (!owner) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    const post = toPost(tx, viewerOf(tx, actor), row)
    const comments = latestComments(tx, visibilityOf(actor), postId, REPORTED_COMMENTS)
    return {
      reportedId: owner.id,
      key: String(postId),
      subjectId: postId,
      content: { kind: 'post', post, owner: { id: owner.id, username: owner.username }, comments },
      paths: [post.url, post.mediumUrl, post.thumbnailUrl],
    }
  },
  remove(tx, _actor, { subjectId }) {
    const row = subjectId === null ? undefined : findPost(tx, subjectId)
    if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    removePost(tx, row)
    return null
  },
}
