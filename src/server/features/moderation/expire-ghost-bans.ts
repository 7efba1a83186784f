import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { endExpiredGhostBans } from '../../model/restrictions/transactions.ts'

/** One step of ending ghost bans at their time. */
export const expireGhostBans = defineCommand({
  name: 'expireGhostBans',
  origin: 'primary',
  keepResult: 'never',
  run: (tx: Transaction): { removed: number } => ({ removed: endExpiredGhostBans(tx) }),
})
