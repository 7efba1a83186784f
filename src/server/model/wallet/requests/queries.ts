import type { Selectable } from 'kysely'
import type { MoneyRequestId, UserId } from '../../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../../shared/protocol/page-cursor.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import { REQUESTS_PER_PAGE } from '../../../../shared/wallet/requests/limits.ts'
import type { MoneyRequest, RequestKind } from '../../../../shared/wallet/requests/request.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { query, type Tables } from '../../schema/query.ts'

export type RequestRow = Selectable<Tables['moneyRequest']>

export const requestById = query<{ id: MoneyRequestId; kind: RequestKind }>()((db, p) =>
  db.selectFrom('moneyRequest').selectAll().where('id', '=', p('id')).where('kind', '=', p('kind')),
)

const pageOfUser = query<{ userId: UserId; kind: RequestKind; at: number; id: MoneyRequestId; limit: number }>()(
  (db, p) =>
    db
      .selectFrom('moneyRequest')
      .select(['id', 'amountKurus', 'status', 'createdAt'])
      .where('userId', '=', p('userId'))
      .where('kind', '=', p('kind'))
      .where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(p('at'), p('id'))))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(p('limit')),
)

/** A page of a person's requests of one kind, the latest first. */
export function listOwnRequests(
  reader: Pick<Reader, 'all'>,
  { userId, kind, before = FIRST_PAGE }: { userId: UserId; kind: RequestKind; before?: string | undefined },
): { requests: MoneyRequest[]; next: string | null } {
  const [at, id] = parsePageCursor(before)
  const rows = reader.all(pageOfUser, { userId, kind, at, id, limit: REQUESTS_PER_PAGE + 1 })
  const { shown, next } = toPage(rows, REQUESTS_PER_PAGE, ({ createdAt }) => createdAt)
  return { requests: shown.map(toMoneyRequest), next }
}

/** A request as its owner gets it. */
export function toMoneyRequest({
  id,
  amountKurus,
  status,
  createdAt,
}: Pick<RequestRow, 'id' | 'amountKurus' | 'status' | 'createdAt'>): MoneyRequest {
  return { id, amount: toLira(amountKurus), status, createdAt }
}
