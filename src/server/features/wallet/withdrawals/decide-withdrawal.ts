import type { MoneyRequestId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { decidedText, type RequestDecision } from '../../../../shared/wallet/requests/request.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { toMoneyRequest } from '../../../model/wallet/requests/queries.ts'
import { moveMoney } from '../../../model/wallet/transactions.ts'
import { decideRequest } from '../requests/requests.ts'

/**
 * Approves or rejects a payment, once: the money that was set aside goes to the bank or back to its owner. Only root
 * admins. Refuses with NotFound, or with RequestDecided when somebody was faster.
 */
export const decideWithdrawal = defineCommand({
  name: 'decideWithdrawal',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { id, decision }: { id: MoneyRequestId; decision: RequestDecision },
  ): { success: true; message: string } | Refusal {
    const row = decideRequest(tx, actor, { kind: 'withdrawal', id, decision })
    if (row instanceof Refusal) return row
    const { userId, amountKurus, decidedBy } = row
    const move = { from: { kind: 'withdrawals' } as const, amountKurus, referenceId: id, actorId: decidedBy }
    const stream = userStream(userId)
    const payload = toMoneyRequest(row)
    if (decision === 'approved') {
      moveMoney(tx, { ...move, to: { kind: 'bank' }, kind: 'withdrawalPaid' })
      tx.emit({ stream, name: 'withdrawalRequestApproved', payload })
    } else {
      moveMoney(tx, { ...move, to: { kind: 'earned', userId }, kind: 'withdrawalReturn' })
      tx.emit({ stream, name: 'withdrawalRequestRejected', payload })
    }
    return { success: true, message: decidedText('withdrawal', id, decision) }
  },
})
