import type { WithdrawalOptionId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import {
  NOT_WITHDRAWABLE_TEXT,
  WITHDRAWAL_OPTION_GONE_TEXT,
  WITHDRAWAL_REQUESTED_TEXT,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../../kernel/presence/streams.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { activeWithdrawalOptionById } from '../../../model/wallet/options/queries.ts'
import { type RequestRow, toMoneyRequest } from '../../../model/wallet/requests/queries.ts'
import { refuseChangedPrice, spendBalance } from '../../../model/wallet/transactions.ts'
import { createRequest } from '../requests/requests.ts'

export interface RequestWithdrawal {
  withdrawalOptionId: WithdrawalOptionId
  firstName: string
  lastName: string
  /** Without spaces. */
  iban: string
  /** In lira, as it was shown. */
  amount?: number | undefined
}

/**
 * Asks for a payment of the actor's earned money and sets the amount aside. Refuses with NotFound for an option that is
 * gone, PriceChanged for one that has another amount, TooManyRequests, and InsufficientBalance.
 */
export const requestWithdrawal = defineCommand({
  name: 'requestWithdrawal',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { withdrawalOptionId, amount, ...account }: RequestWithdrawal,
  ): { success: true; message: string; request: MoneyRequest } | Refusal {
    if (!actor || actor.role === 'guest') return refuse('Forbidden')
    const option = tx.get(activeWithdrawalOptionById, { id: withdrawalOptionId })
    if (!option) return refuse('NotFound', { message: WITHDRAWAL_OPTION_GONE_TEXT })
    const { amountKurus } = option
    const changed = refuseChangedPrice(amount, amountKurus)
    if (changed) return changed
    const row = createRequest(tx, actor, { ...account, kind: 'withdrawal', amountKurus, senderName: null })
    if (row instanceof Refusal) return row
    const refusal = setAside(tx, row)
    if (refusal) return refusal
    emitRequest(tx, row)
    return { success: true, message: WITHDRAWAL_REQUESTED_TEXT, request: toMoneyRequest(row) }
  },
})

function setAside(tx: Transaction, { id, userId, amountKurus }: RequestRow): Refusal | null {
  const result = spendBalance(tx, userId, {
    amountKurus,
    from: 'earned',
    kind: 'withdrawalRequest',
    referenceId: id,
    credits: [{ account: { kind: 'withdrawals' }, amountKurus }],
  })
  return result instanceof Refusal ? new Refusal({ ...result.body, message: NOT_WITHDRAWABLE_TEXT }) : null
}

/** To the root admins, and to the other connections of the user. Name and IBAN are in no event. */
function emitRequest(tx: Transaction, row: RequestRow): void {
  const { userId } = row
  const request = toMoneyRequest(row)
  tx.emit({ stream: userStream(userId), name: 'withdrawalRequestCreated', payload: request })
  const username = tx.get(userById, { id: userId })?.username ?? ''
  const payload = { ...request, userId, username }
  tx.emit({ stream: rootAdminStream, name: 'newWithdrawalRequest', payload, actorId: userId })
}
