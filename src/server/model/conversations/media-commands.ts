import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { AddMedia, MessageMedia } from '../media/transactions.ts'
import { directMessages, roomMessages } from './message-table.ts'

/** The commands on uploads for messages of one kind. */
function defineMediaCommands(kind: 'Room' | 'Direct', media: MessageMedia) {
  return {
    /** Adds the row of an upload. */
    addMedia: defineCommand({
      name: `add${kind}Media`,
      // The row is looked up in `add`, because the message of the upload has the same clientId.
      keepResult: 'never',
      run: (tx: Transaction, actor: Actor | null, input: AddMedia) => media.add(tx, actor, input),
    }),
    /** Deletes the rows of uploads that no message uses. */
    deleteUnusedMedia: defineCommand({
      name: `deleteUnused${kind}Media`,
      origin: 'primary',
      keepResult: 'never',
      run: (tx: Transaction) => media.deleteUnused(tx),
    }),
  }
}

export const roomMediaCommands = defineMediaCommands('Room', roomMessages.media)
export const directMediaCommands = defineMediaCommands('Direct', directMessages.media)
