import type { StarOptionId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import {
  TOP_UP_OPTION_GONE_TEXT,
  TOP_UP_REGISTRATION_TEXT,
  TOP_UP_REQUESTED_TEXT,
} from '../../../../shared/wallet/top-ups/texts.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../../kernel/presence/streams.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { activeStarOptionById } from '../../../model/wallet/options/queries.ts'
import { toMoneyRequest } from '../../../model/wallet/requests/queries.ts'
import { refuseChangedPrice } from '../../../model/wallet/transactions.ts'
import { createRequest } from '../requests/requests.ts'

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
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!user) return refuse('NotSignedIn')
    if (user.isGuest === 1) return refuse('Forbidden', { message: TOP_UP_REGISTRATION_TEXT })
    const option = tx.get(activeStarOptionById, { id: starOptionId })
    if (!option) return refuse('NotFound', { message: TOP_UP_OPTION_GONE_TEXT })
    const { amountKurus } = option
    const changed = refuseChangedPrice(amount, amountKurus)
    if (changed) return changed
    const account = { senderName: senderUser, iban: null, firstName: null, lastName: null }
    const row = createRequest(tx, actor, { kind: 'star', amountKurus, ...account })
    if (row instanceof Refusal) return row
    const request = toMoneyRequest(row)
    tx.emit({ stream: userStream(user.id), name: 'starRequestCreated', payload: request })
    const payload = { ...request, userId: user.id, username: user.username }
    tx.emit({ stream: rootAdminStream, name: 'newStarRequest', payload, actorId: user.id })
    return { success: true, message: TOP_UP_REQUESTED_TEXT, request }
  },
})
