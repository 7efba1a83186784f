import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { liftByName } from '../../model/moderation/restrict.ts'

/** Lifts the bans from the site of a name, ghost bans too. Only root admins; refuses with Forbidden or NotFound. */
export const liftBan = defineCommand({
  name: 'liftBan',
  awaitsReplicaAck: true,
  run: (tx: Transaction, actor: Actor | null, { username }: { username: string }) =>
    liftByName(tx, actor, username, { kinds: ['siteBan', 'ghostBan'], roomId: null }),
})
