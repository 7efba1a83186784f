import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { trimSlowModeMessages, trimVisits } from '../../model/rooms/management-transactions.ts'

/** One step of deleting what rooms need no longer. */
export const trimRoomRecords = defineCommand({
  name: 'trimRoomRecords',
  origin: 'primary',
  keepsCachedRows: true,
  run(tx: Transaction): { removed: number } {
    return { removed: trimSlowModeMessages(tx) + trimVisits(tx) }
  },
})
