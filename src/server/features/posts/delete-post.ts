import { POST_DELETED_TEXT, POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { removePostNotifications } from '../../model/notifications/transactions.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import { scopeOfPost } from '../../model/posts/event-scope.ts'
import { changePostTotal, streamOfPost } from '../../model/posts/transactions.ts'
import { query } from '../../model/schema/query.ts'

const markDeleted = query<{ id: PostId; now: number }>()((db, p) =>
  db
    .updateTable('post')
    .set({ deletedAt: p('now'), isPurging: 1 })
    .where('id', '=', p('id')),
)

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
    tx.run(markDeleted, { id: postId, now: tx.now })
    if (row.isArchived === 0) changePostTotal(tx, row, -1)
    removePostNotifications(tx, postId)
    tx.emit({
      stream: streamOfPost(row),
      name: 'postDeleted',
      payload: { postId, userId: row.userId },
      ...scopeOfPost(row),
    })
    return { success: true, message: POST_DELETED_TEXT }
  },
})
