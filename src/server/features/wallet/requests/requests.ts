import type { MoneyRequestId, UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { turkishDateFormat } from '../../../../shared/text/turkish-date-format.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import { MAX_PENDING_REQUESTS } from '../../../../shared/wallet/requests/limits.ts'
import {
  alreadyDecidedText,
  type RequestDecision,
  type RequestKind,
  TOO_MANY_REQUESTS_TEXT,
} from '../../../../shared/wallet/requests/request.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../../kernel/presence/streams.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { notifyRootAdmins, removeRequestNotifications } from '../../../model/notifications/transactions.ts'
import { query } from '../../../model/schema/query.ts'
import { type RequestRow, requestById, toMoneyRequest } from '../../../model/wallet/requests/queries.ts'

/** What a person asks for; the fields of the other kind are null. */
export type NewRequest = Pick<RequestRow, 'kind' | 'amountKurus' | 'senderName' | 'iban' | 'firstName' | 'lastName'>

const notificationTypes = { star: 'starRequest', withdrawal: 'withdrawalRequest' } as const

const decisionActions = {
  star: { approved: 'starRequestApproved', rejected: 'starRequestRejected' },
  withdrawal: { approved: 'withdrawalRequestApproved', rejected: 'withdrawalRequestRejected' },
} as const

const insertRequest = query<NewRequest & { userId: UserId; createdAt: number }>()((db, p) =>
  db.insertInto('moneyRequest').values({
    kind: p('kind'),
    userId: p('userId'),
    amountKurus: p('amountKurus'),
    status: 'pending',
    senderName: p('senderName'),
    iban: p('iban'),
    firstName: p('firstName'),
    lastName: p('lastName'),
    createdAt: p('createdAt'),
    decidedAt: null,
    decidedBy: null,
  }),
)
const pendingOf = query<{ userId: UserId; kind: RequestKind }>()((db, p) =>
  db
    .selectFrom('moneyRequest')
    .select('id')
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('status', '=', 'pending')
    .limit(MAX_PENDING_REQUESTS),
)
const setDecided = query<{ id: MoneyRequestId; status: RequestDecision; decidedAt: number; decidedBy: UserId }>()(
  (db, p) =>
    db
      .updateTable('moneyRequest')
      .set({ status: p('status'), decidedAt: p('decidedAt'), decidedBy: p('decidedBy') })
      .where('id', '=', p('id')),
)

/** Stores a member's request and notifies the root admins. The caller emits its event, and sets money aside. */
export function createRequest(tx: Transaction, { userId }: Actor, input: NewRequest): RequestRow | Refusal {
  const { kind } = input
  if (tx.all(pendingOf, { userId, kind }).length >= MAX_PENDING_REQUESTS)
    return refuse('TooManyRequests', { message: TOO_MANY_REQUESTS_TEXT })
  const { lastId: id } = tx.run(insertRequest, { ...input, userId, createdAt: tx.now })
  const row: RequestRow = {
    ...input,
    id,
    userId,
    status: 'pending',
    createdAt: tx.now,
    decidedAt: null,
    decidedBy: null,
  }
  const content = String(toMoneyRequest(row).amount)
  notifyRootAdmins(tx, { type: notificationTypes[kind], senderId: userId, requestId: id, content })
  return row
}

/**
 * Decides a pending request, once, for a root admin, and removes its notifications. The caller moves the money and emits
 * the event. Refuses with RequestDecided, whose message says who has decided it and when.
 */
export function decideRequest(
  tx: Transaction,
  actor: Actor | null,
  { kind, id, decision }: { kind: RequestKind; id: MoneyRequestId; decision: RequestDecision },
): RequestRow | Refusal {
  if (actor?.role !== 'rootadmin') return refuse('Forbidden')
  const row = tx.get(requestById, { id, kind })
  if (!row) return refuse('NotFound')
  if (row.status !== 'pending') return refuseDecided(tx, row, row.status)
  const decided = { status: decision, decidedAt: tx.now, decidedBy: actor.userId }
  tx.run(setDecided, { id, ...decided })
  removeRequestNotifications(tx, { type: notificationTypes[kind], requestId: id }, actor.userId)
  emitDecision(tx, actor, { kind, id, decision })
  recordAction(tx, {
    kind: decisionActions[kind][decision],
    actorId: actor.userId,
    targetUserId: row.userId,
    subject: { type: 'moneyRequest', id },
    details: { amount: toLira(row.amountKurus) },
  })
  return { ...row, ...decided }
}

/** For the lists of root admins. */
function emitDecision(
  tx: Transaction,
  { userId }: Actor,
  { kind, id, decision }: { kind: RequestKind; id: MoneyRequestId; decision: RequestDecision },
): void {
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
