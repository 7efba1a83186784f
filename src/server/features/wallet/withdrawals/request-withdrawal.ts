import type { WithdrawalOptionId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import {
  NOT_WITHDRAWABLE_TEXT,
  WITHDRAWAL_OPTION_GONE_TEXT,
  WITHDRAWAL_REQUESTED_TEXT,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { activeWithdrawalOptionById } from '../../../model/wallet/options/queries.ts'
import type { RequestRow } from '../../../model/wallet/requests/queries.ts'
import { refuseChangedPrice, spendBalance } from '../../../model/wallet/transactions.ts'
import { createRequest, emitRequest } from '../requests/create-request.ts'

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
    return { success: true, message: WITHDRAWAL_REQUESTED_TEXT, request: emitRequest(tx, row) }
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
