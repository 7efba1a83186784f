import type { MoneyRequestId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { decidedText, type RequestDecision } from '../../../../shared/wallet/requests/request.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { toMoneyRequest } from '../../../model/wallet/requests/queries.ts'
import { moveMoney } from '../../../model/wallet/transactions.ts'
import { decideRequest } from '../requests/requests.ts'

const eventNames = { approved: 'starRequestApproved', rejected: 'starRequestRejected' } as const

/** Approves a load, which brings its owner the money, or rejects it. Refuses with NotFound or RequestDecided. */
export const decideStarRequest = defineCommand({
  name: 'decideStarRequest',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { id, decision }: { id: MoneyRequestId; decision: RequestDecision },
  ): { success: true; message: string } | Refusal {
    const row = decideRequest(tx, actor, { kind: 'star', id, decision })
    if (row instanceof Refusal) return row
    const { userId, amountKurus, decidedBy: actorId } = row
    if (decision === 'approved') {
      const to = { kind: 'loaded', userId } as const
      moveMoney(tx, { from: { kind: 'bank' }, to, amountKurus, kind: 'load', referenceId: id, actorId })
    }
    tx.emit({ stream: userStream(userId), name: eventNames[decision], payload: toMoneyRequest(row) })
    return { success: true, message: decidedText('star', id, decision) }
  },
})
