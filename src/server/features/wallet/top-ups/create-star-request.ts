import type { StarOptionId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import {
  TOP_UP_OPTION_GONE_TEXT,
  TOP_UP_REGISTRATION_TEXT,
  TOP_UP_REQUESTED_TEXT,
} from '../../../../shared/wallet/top-ups/texts.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { activeStarOptionById } from '../../../model/wallet/options/queries.ts'
import { refuseChangedPrice } from '../../../model/wallet/transactions.ts'
import { createRequest, emitRequest } from '../requests/create-request.ts'

export interface CreateStarRequest {
  starOptionId: StarOptionId
  /** The holder of the paying bank account. */
  senderUser: string
  /** In lira, as it was shown. */
  amount?: number | undefined
}

/** Asks for a load of balance. Refuses with NotFound for an option that is gone, PriceChanged or TooManyRequests. */
export const createStarRequest = defineCommand({
  name: 'createStarRequest',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { starOptionId, senderUser, amount }: CreateStarRequest,
  ): { success: true; message: string; request: MoneyRequest } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    if (actor.role === 'guest') return refuse('Forbidden', { message: TOP_UP_REGISTRATION_TEXT })
    const option = tx.get(activeStarOptionById, { id: starOptionId })
    if (!option) return refuse('NotFound', { message: TOP_UP_OPTION_GONE_TEXT })
    const { amountKurus } = option
    const changed = refuseChangedPrice(amount, amountKurus)
    if (changed) return changed
    const account = { senderName: senderUser, iban: null, firstName: null, lastName: null }
    const row = createRequest(tx, actor, { kind: 'star', amountKurus, ...account })
    if (row instanceof Refusal) return row
    return { success: true, message: TOP_UP_REQUESTED_TEXT, request: emitRequest(tx, row) }
  },
})
