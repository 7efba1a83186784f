import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { directMedia } from '../../model/direct-messages/queries.ts'

/** Deletes the rows of uploads that no message uses. */
export const deleteUnusedMedia = defineCommand({
  name: 'deleteUnusedDirectMedia',
  origin: 'primary',
  keepResult: 'never',
  run: (tx: Transaction) => directMedia.deleteUnused(tx),
})
