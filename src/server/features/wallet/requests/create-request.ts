import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { MAX_PENDING_REQUESTS } from '../../../../shared/wallet/requests/limits.ts'
import {
  type MoneyRequest,
  type RequestKind,
  TOO_MANY_REQUESTS_TEXT,
} from '../../../../shared/wallet/requests/request.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../../kernel/presence/streams.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { notifyRootAdmins } from '../../../model/notifications/transactions.ts'
import { insertRow, query } from '../../../model/schema/query.ts'
import { type RequestRow, toMoneyRequest } from '../../../model/wallet/requests/queries.ts'

/** What a person asks for; the fields of the other kind are null. */
export type NewRequest = Pick<RequestRow, 'kind' | 'amountKurus' | 'senderName' | 'iban' | 'firstName' | 'lastName'>

export const notificationTypes = { star: 'starRequest', withdrawal: 'withdrawalRequest' } as const

/** The events for the owner and for root admins. */
const eventNames = {
  star: { ofOwner: 'starRequestCreated', ofRootAdmins: 'newStarRequest' },
  withdrawal: { ofOwner: 'withdrawalRequestCreated', ofRootAdmins: 'newWithdrawalRequest' },
} as const

const pending = { status: 'pending', decidedAt: null, decidedBy: null } as const
const insertRequest = insertRow(
  'moneyRequest',
  ['kind', 'userId', 'amountKurus', 'senderName', 'iban', 'firstName', 'lastName', 'createdAt'],
  pending,
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

/** Stores a member's request and notifies the root admins. The caller sets money aside, and calls `emitRequest`. */
export function createRequest(tx: Transaction, { userId }: Actor, input: NewRequest): RequestRow | Refusal {
  const { kind } = input
  if (tx.all(pendingOf, { userId, kind }).length >= MAX_PENDING_REQUESTS)
    return refuse('TooManyRequests', { message: TOO_MANY_REQUESTS_TEXT })
  const request = { ...input, userId, createdAt: tx.now }
  const { lastId: id } = tx.run(insertRequest, request)
  const row: RequestRow = { ...request, ...pending, id }
  const content = String(toMoneyRequest(row).amount)
  notifyRootAdmins(tx, { type: notificationTypes[kind], senderId: userId, requestId: id, content })
  return row
}

/** To the root admins, and to the other connections of the user. Names and IBAN are in no event. */
export function emitRequest(tx: Transaction, row: RequestRow): MoneyRequest {
  const { kind, userId } = row
  const request = toMoneyRequest(row)
  const { ofOwner, ofRootAdmins } = eventNames[kind]
  tx.emit({ stream: userStream(userId), name: ofOwner, payload: request })
  const payload = { ...request, userId, username: tx.get(userById, { id: userId })?.username ?? '' }
  tx.emit({ stream: rootAdminStream, name: ofRootAdmins, payload, actorId: userId })
  return request
}
