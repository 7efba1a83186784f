import { POST_DELETED_TEXT, POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import { removePost } from '../../model/posts/remove-post.ts'

/** Deletes the actor's post: at once for everybody, and its rows by a job. Refuses with NotFound, or Forbidden for another's. */
export const deletePost = defineCommand({
  name: 'deletePost',
  run(
    tx: Transaction,
    actor: Actor | null,
    { postId }: { postId: PostId },
  ): { success: true; message: string } | Refusal {
    const row = actor && findVisiblePost(tx, actor, postId)
    if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    if (row.userId !== actor.userId) return refuse('Forbidden')
    removePost(tx, row)
    return { success: true, message: POST_DELETED_TEXT }
  },
})
