import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { getSharePercent } from '../../model/gifts/queries.ts'
import { query } from '../../model/schema/query.ts'

const updateShare = query<{ sharePercent: number }>()((db, p) =>
  db.updateTable('giftTerms').set({ sharePercent: p('sharePercent') }),
)

type Share = { sharePercent: number }

/** Sets the recipients' part of a gift's price. Only root admins; the same value emits nothing. */
export const setGiftShare = defineCommand({
  name: 'setGiftShare',
  run(tx: Transaction, actor: Actor | null, { sharePercent }: Share): ({ success: true } & Share) | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const sharePercentBefore = getSharePercent(tx)
    if (sharePercentBefore !== sharePercent) {
      tx.run(updateShare, { sharePercent })
      const payload = { sharePercent }
      tx.emit({ stream: rootAdminStream, name: 'giftShareUpdated', payload, actorId: actor.userId })
      const details = { sharePercent, sharePercentBefore }
      recordAction(tx, { kind: 'giftShareChanged', actorId: actor.userId, details })
    }
    return { success: true, sharePercent }
  },
})
