import type { GiftKind } from '../../../shared/gifts/protocol.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { toKurus } from '../../../shared/wallet/ledger.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { giftKindById, toGiftKind } from '../../model/gifts/queries.ts'
import { updateRow } from '../../model/schema/query.ts'

const updateKind = updateRow('giftKind', ['id'], ['priceKurus', 'status'])

type Change = Pick<GiftKind, 'id' | 'price' | 'status'>

/** Changes a gift's price, and whether it can be given. Only root admins; the same values emit nothing. */
export const updateGiftKind = defineCommand({
  name: 'updateGiftKind',
  run(tx: Transaction, actor: Actor | null, input: Change): { success: true; gift: GiftKind } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const row = tx.get(giftKindById, { id: input.id })
    if (!row) return refuse('NotFound')
    const before = toGiftKind(row)
    const { price, status } = input
    const gift: GiftKind = { ...before, price, status }
    if (before.price !== price || before.status !== status) {
      tx.run(updateKind, { id: gift.id, priceKurus: toKurus(price), status })
      tx.emit({ stream: siteStream, name: 'giftKindUpdated', payload: gift, actorId: actor.userId })
      const details = { name: gift.name, price, isActive: status === 'active', priceBefore: before.price }
      recordAction(tx, { kind: 'giftKindChanged', actorId: actor.userId, details })
    }
    return { success: true, gift }
  },
})
