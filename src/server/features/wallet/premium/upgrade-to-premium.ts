import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import {
  extendPremium,
  PREMIUM_BOUGHT_TEXT,
  PREMIUM_EXTENDED_TEXT,
  PREMIUM_REFUSED_TEXT,
} from '../../../../shared/wallet/premium/premium.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import { insertRow, updateRow } from '../../../model/schema/query.ts'
import { getPremiumTerms } from '../../../model/wallet/options/queries.ts'
import { refuseChangedPrice, refuseShortBalance, spendBalance } from '../../../model/wallet/transactions.ts'

const insertPurchase = insertRow('premiumPurchase', ['userId', 'priceKurus', 'days', 'premiumUntil', 'createdAt'])
const setPremium = updateRow('user', ['id'], ['premiumUntil'], { isShownPremium: 1 })

/**
 * Buys premium from the balance, for the days of the options; what is left is kept. Refuses with PriceChanged or
 * InsufficientBalance.
 */
export const upgradeToPremium = defineCommand({
  name: 'upgradeToPremium',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { price }: { price?: number | undefined },
  ): { success: true; message: string; premiumExpiryDate: number } | Refusal {
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!user || user.isGuest === 1) return refuse('Forbidden')
    const { priceKurus, days } = getPremiumTerms(tx)
    const changed = refuseChangedPrice(price, priceKurus)
    if (changed) return changed
    const short = refuseShortBalance(tx, user.id, priceKurus)
    if (short) return refuse(short.body.code, { ...short.body, message: PREMIUM_REFUSED_TEXT })
    const isExtended = user.premiumUntil !== null && user.premiumUntil > tx.now
    const premiumUntil = extendPremium(user.premiumUntil, days, tx.now)
    const purchase = { userId: user.id, priceKurus, days, premiumUntil, createdAt: tx.now }
    const paid = spendBalance(tx, user.id, {
      amountKurus: priceKurus,
      kind: 'premium',
      referenceId: tx.run(insertPurchase, purchase).lastId,
      credits: [{ account: { kind: 'premiumIncome' }, amountKurus: priceKurus }],
    })
    if (paid instanceof Refusal) return paid
    tx.run(setPremium, { id: user.id, premiumUntil })
    emitProfileUpdated(tx, user.id)
    const message = isExtended ? PREMIUM_EXTENDED_TEXT : PREMIUM_BOUGHT_TEXT
    return { success: true, message, premiumExpiryDate: premiumUntil }
  },
})
