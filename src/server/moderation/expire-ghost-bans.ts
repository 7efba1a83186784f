import { defineWrite } from '../database/define-write.ts'
import type { Transaction } from '../database/transact.ts'
import { endExpiredGhostBans } from './ghost-bans.ts'

/** One step of ending ghost bans at their time. */
export const expireGhostBans = defineWrite({
  name: 'expireGhostBans',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction): { removed: number } => ({ removed: endExpiredGhostBans(tx) }),
})
