import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findOwnConversation } from '../../model/conversations/sides.ts'
import { query } from '../../model/schema/query.ts'
import type { ConversationTarget } from './hide-conversation.ts'

const setAllowed = query<{ userId: UserId; conversationId: number }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ allowsMedia: 1 })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)

/** Shows the actor pictures and videos of a user to whom they have not written. */
export const allowMedia = defineCommand({
  name: 'allowDirectMedia',
  run(tx: Transaction, actor: Actor | null, { otherUserId }: ConversationTarget): { success: true } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const conversationId = findOwnConversation(tx, actor.userId, otherUserId)
    if (conversationId === undefined) return refuse('NotFound')
    tx.run(setAllowed, { userId: actor.userId, conversationId })
    const payload = { userId: otherUserId }
    tx.emit({ stream: userStream(actor.userId), name: 'directMediaAllowed', payload, actorId: actor.userId })
    return { success: true }
  },
})
