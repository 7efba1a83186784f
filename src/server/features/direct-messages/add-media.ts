import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { directMedia } from '../../model/direct-messages/queries.ts'
import type { AddMedia } from '../../model/media/transactions.ts'

/** Adds the row of an upload for a direct message. */
export const addMedia = defineCommand({
  name: 'addDirectMedia',
  // The row is looked up in `add`, because the message of the upload has the same clientId.
  keepResult: 'never',
  run: (tx: Transaction, actor: Actor | null, input: AddMedia) => directMedia.add(tx, actor, input),
})
