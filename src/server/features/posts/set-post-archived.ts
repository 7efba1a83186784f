import { POST_ARCHIVED_TEXT, POST_NOT_FOUND_TEXT, POST_UNARCHIVED_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { audienceOfActor } from '../../kernel/database/events/actor-audience.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { removePostNotifications } from '../../model/notifications/transactions.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import { scopeOfPost } from '../../model/posts/event-scope.ts'
import { postsStream } from '../../model/posts/streams.ts'
import { changePostTotal } from '../../model/posts/transactions.ts'
import { updateRow } from '../../model/schema/query.ts'

export interface SetPostArchived {
  postId: PostId
  /** Null: the other state. */
  isArchived: boolean | null
}
type ArchiveAnswer = { success: true; message: string; postId: PostId; isArchived: boolean }

const updateArchived = updateRow('post', ['id'], ['isArchived', 'audience'])

/** Moves the actor's post into the archive or out of it. Refuses with NotFound, or Forbidden for another's post. */
export const setPostArchived = defineCommand({
  name: 'setPostArchived',
  run(tx: Transaction, actor: Actor | null, input: SetPostArchived): ArchiveAnswer | Refusal {
    const row = actor && findVisiblePost(tx, actor, input.postId)
    if (!row) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    if (row.userId !== actor.userId) return refuse('Forbidden')
    const isArchived = input.isArchived ?? row.isArchived === 0
    const { id: postId, userId } = row
    if (isArchived !== (row.isArchived === 1)) {
      // A post that a ghost takes out of the archive is as one that the ghost publishes.
      const audience = row.audience ?? (isArchived ? null : audienceOfActor(tx.cached, userId))
      tx.run(updateArchived, { id: postId, isArchived: isArchived ? 1 : 0, audience })
      changePostTotal(tx, { userId, audience }, isArchived ? -1 : 1)
      if (isArchived) removePostNotifications(tx, postId)
      const payload = { postId, isArchived, userId }
      tx.emit({ stream: postsStream(userId), name: 'postArchived', payload, ...scopeOfPost({ userId, audience }) })
    }
    return { success: true, message: isArchived ? POST_ARCHIVED_TEXT : POST_UNARCHIVED_TEXT, postId, isArchived }
  },
})
