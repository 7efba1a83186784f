import type { WarningId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { warningById } from '../../model/moderation/queries.ts'
import { query } from '../../model/schema/query.ts'

const setConfirmed = query<{ id: WarningId; now: number }>()((db, p) =>
  db
    .updateTable('warning')
    .set({ confirmedAt: p('now') })
    .where('id', '=', p('id')),
)

/** Confirms the actor's own warning. One that is closed already stays as it is; refuses with NotFound for others' warnings. */
export const confirmWarning = defineCommand({
  name: 'confirmWarning',
  run(tx: Transaction, actor: Actor | null, { warningId }: { warningId: WarningId }): { success: true } | Refusal {
    const warning = actor && tx.get(warningById, { id: warningId })
    if (!warning || warning.userId !== actor.userId) return refuse('NotFound')
    if (warning.confirmedAt !== null || warning.withdrawnAt !== null) return { success: true }
    tx.run(setConfirmed, { id: warningId, now: tx.now })
    tx.emit({ stream: userStream(actor.userId), name: 'warningClosed', payload: { id: warningId } })
    const subject = { type: 'warning', id: warningId }
    recordAction(tx, { kind: 'warningConfirmed', actorId: actor.userId, targetUserId: actor.userId, subject })
    return { success: true }
  },
})
