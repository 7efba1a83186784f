import type { MessageId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import {
  removeMessage as removeInTransaction,
  restoreMessage as restoreInTransaction,
} from '../../model/moderation/transactions.ts'

interface RoomMessage {
  messageId: MessageId
}

/** Removes a message of a room. Refuses with NotFound, RoomNotFound or Forbidden. */
export const removeMessage = defineCommand({
  name: 'removeMessage',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { messageId }: RoomMessage): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    return removeInTransaction(tx, actor, { type: 'roomMessage', id: messageId }) ?? { success: true }
  },
})

/** Shows a removed message of a room again. Refuses as `removeMessage`. */
export const restoreMessage = defineCommand({
  name: 'restoreMessage',
  run(tx: Transaction, actor: Actor | null, { messageId }: RoomMessage): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    return restoreInTransaction(tx, actor, messageId) ?? { success: true }
  },
})
