import { CONVERSATION_HIDDEN } from '../../../shared/direct-messages/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findOwnConversation } from '../../model/conversations/sides.ts'
import { getParticipants } from '../../model/relations/access.ts'
import { query } from '../../model/schema/query.ts'
import { markRead } from './mark-messages-read.ts'

export interface ConversationTarget {
  otherUserId: UserId
}

const hideSide = query<{ userId: UserId; conversationId: number }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ lastMessageId: null })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)

/** Takes a conversation out of the actor's list until its next message, and marks its messages as read. */
export const hideConversation = defineCommand({
  name: 'hideConversation',
  run(tx: Transaction, actor: Actor | null, input: ConversationTarget): { success: true; message: string } | Refusal {
    const participants = actor && getParticipants(tx, actor.userId, input.otherUserId)
    if (!participants) return refuse('NotFound')
    const { own, other } = participants
    const conversationId = findOwnConversation(tx, own.id, other.id)
    if (conversationId !== undefined) {
      markRead(tx, participants, Number.MAX_SAFE_INTEGER)
      tx.run(hideSide, { userId: own.id, conversationId })
      const payload = { username: other.username, userId: other.id }
      tx.emit({ stream: userStream(own.id), name: 'conversationHidden', payload, actorId: own.id })
    }
    return { success: true, message: CONVERSATION_HIDDEN }
  },
})
