import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { toKurus } from '../../../../shared/wallet/ledger.ts'
import type { PremiumTerms } from '../../../../shared/wallet/options/protocol.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { query } from '../../../model/schema/query.ts'
import { getPremiumCost } from '../../../model/wallet/options/queries.ts'

const updateTerms = query<{ priceKurus: number; days: number }>()((db, p) =>
  db.updateTable('premiumTerms').set({ priceKurus: p('priceKurus'), days: p('days') }),
)

/** Sets premium's price and duration. Only root admins; the same values emit nothing. */
export const setPremiumCost = defineCommand({
  name: 'setPremiumCost',
  run(tx: Transaction, actor: Actor | null, input: PremiumTerms): ({ success: true } & PremiumTerms) | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const before = getPremiumCost(tx)
    const { premiumCost, days } = input
    if (before.premiumCost !== premiumCost || before.days !== days) {
      tx.run(updateTerms, { priceKurus: toKurus(premiumCost), days })
      const payload = { premiumCost, days }
      tx.emit({ stream: siteStream, name: 'premiumCostUpdated', payload, actorId: actor.userId })
      const details = { price: premiumCost, days, priceBefore: before.premiumCost, daysBefore: before.days }
      recordAction(tx, { kind: 'premiumCostChanged', actorId: actor.userId, details })
    }
    return { success: true, premiumCost, days }
  },
})
