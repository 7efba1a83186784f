import type { MoneyRequestId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { turkishDateFormat } from '../../../../shared/text/turkish-date-format.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import {
  alreadyDecidedText,
  decidedText,
  type RequestDecision,
  type RequestKind,
} from '../../../../shared/wallet/requests/request.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../../kernel/presence/streams.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { removeRequestNotifications } from '../../../model/notifications/transactions.ts'
import { updateRow } from '../../../model/schema/query.ts'
import { type RequestRow, requestById, toMoneyRequest } from '../../../model/wallet/requests/queries.ts'
import { type Move, moveMoney } from '../../../model/wallet/transactions.ts'
import { notificationTypes } from './create-request.ts'

interface DecideRequest {
  kind: RequestKind
  id: MoneyRequestId
  decision: RequestDecision
}

/** The event for the owner, which is also the kind of the logged action. */
const eventNames = {
  star: { approved: 'starRequestApproved', rejected: 'starRequestRejected' },
  withdrawal: { approved: 'withdrawalRequestApproved', rejected: 'withdrawalRequestRejected' },
} as const

const setDecided = updateRow('moneyRequest', ['id'], ['status', 'decidedAt', 'decidedBy'])

/**
 * Decides a pending request, once, for a root admin. Refuses with NotFound, or with RequestDecided, whose message says who
 * has decided it and when.
 */
export const decideRequest = defineCommand({
  name: 'decideRequest',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { kind, id, decision }: DecideRequest,
  ): { success: true; message: string } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const row = tx.get(requestById, { id, kind })
    if (!row) return refuse('NotFound')
    if (row.status !== 'pending') return refuseDecided(tx, row, row.status)
    const decided = { status: decision, decidedAt: tx.now, decidedBy: actor.userId }
    tx.run(setDecided, { id, ...decided })
    removeRequestNotifications(tx, { type: notificationTypes[kind], requestId: id }, actor.userId)
    emitToRootAdmins(tx, actor, { kind, id, decision })
    const { userId, amountKurus } = row
    recordAction(tx, {
      kind: eventNames[kind][decision],
      actorId: actor.userId,
      targetUserId: userId,
      subject: { type: 'moneyRequest', id },
      details: { amount: toLira(amountKurus) },
    })
    const move = moveAfter(row, decision)
    if (move) moveMoney(tx, { ...move, amountKurus, referenceId: id, actorId: actor.userId })
    const payload = toMoneyRequest({ ...row, ...decided })
    tx.emit({ stream: userStream(userId), name: eventNames[kind][decision], payload })
    return { success: true, message: decidedText(kind, id, decision) }
  },
})

/** A top-up is loaded; what was set aside for a withdrawal is paid or returned. Null where no money moves. */
function moveAfter({ kind, userId }: RequestRow, decision: RequestDecision): Pick<Move, 'from' | 'to' | 'kind'> | null {
  if (kind === 'star')
    return decision === 'approved' ? { from: { kind: 'bank' }, to: { kind: 'loaded', userId }, kind: 'load' } : null
  return decision === 'approved'
    ? { from: { kind: 'withdrawals' }, to: { kind: 'bank' }, kind: 'withdrawalPaid' }
    : { from: { kind: 'withdrawals' }, to: { kind: 'earned', userId }, kind: 'withdrawalReturn' }
}

/** For the lists of root admins. */
function emitToRootAdmins(tx: Transaction, { userId }: Actor, { kind, id, decision }: DecideRequest): void {
  const decidedBy = tx.get(userById, { id: userId })?.username ?? ''
  const payload = { kind, requestId: id, status: decision, decidedBy, decidedAt: tx.now }
  tx.emit({ stream: rootAdminStream, name: 'requestDecided', payload, actorId: userId })
}

const decidedAtOptions: Intl.DateTimeFormatOptions = {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Istanbul',
}

function refuseDecided(tx: Transaction, { id, decidedAt, decidedBy }: RequestRow, decision: RequestDecision): Refusal {
  if (decidedAt === null || decidedBy === null) throw new Error('a decided request has no decision')
  const by = tx.get(userById, { id: decidedBy })?.username ?? ''
  return refuse('RequestDecided', {
    message: alreadyDecidedText(id, { decision, by, when: turkishDateFormat(decidedAtOptions).format(decidedAt) }),
  })
}
