import type { UserId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { getParticipants } from '../../model/relations/access.ts'
import { showHiddenReadReceipts } from './read-receipts.ts'

/**
 * Shows a user the messages that are hidden from the other one as read, which they would be: the other has the conversation
 * open. A second run changes nothing.
 */
export const readHiddenMessages = defineCommand({
  name: 'readHiddenMessages',
  keepResult: 'never',
  run(
    tx: Transaction,
    _actor: Actor | null,
    { readerId, senderId }: { readerId: UserId; senderId: UserId },
  ): { success: true } {
    const participants = getParticipants(tx, readerId, senderId)
    if (participants) showHiddenReadReceipts(tx, participants)
    return { success: true }
  },
})
