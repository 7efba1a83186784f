import { defineWrite } from '../../kernel/database/define-write.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { endExpiredGhostBans } from '../../model/moderation/ghost-bans.ts'

/** One step of ending ghost bans at their time. */
export const expireGhostBans = defineWrite({
  name: 'expireGhostBans',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction): { removed: number } => ({ removed: endExpiredGhostBans(tx) }),
})
