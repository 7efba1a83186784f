import type { LedgerTransactionId, UserId } from '../../../../shared/protocol/ids.ts'
import { type LedgerKind, toLira } from '../../../../shared/wallet/ledger.ts'
import { STATEMENT_EXPORT_ROWS } from '../../../../shared/wallet/limits.ts'
import { describeMovement, type StatementRow } from '../../../../shared/wallet/statement/statement.ts'
import { EXPORT_HEAD } from '../../../../shared/wallet/statement/texts.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { query } from '../../../model/schema/query.ts'
import { accountsOfUser } from '../../../model/wallet/queries.ts'
import { amountCell, timeCell, toCsv } from '../csv.ts'

interface StatementPage {
  /** Rows before this transaction; null for the latest. */
  before: LedgerTransactionId | null
  limit: number
}

interface Entry {
  id: LedgerTransactionId
  kind: LedgerKind
  referenceId: number
  createdAt: number
  amountKurus: number
  balanceKurus: number
}

const entriesBefore = query<{ accountId: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('ledgerEntry')
    .innerJoin('ledgerTransaction', 'ledgerTransaction.id', 'ledgerEntry.transactionId')
    .select([
      'ledgerTransaction.id',
      'ledgerTransaction.kind',
      'ledgerTransaction.referenceId',
      'ledgerTransaction.createdAt',
      'ledgerEntry.amountKurus',
      'ledgerEntry.balanceKurus',
    ])
    .where('ledgerEntry.accountId', '=', p('accountId'))
    .where('ledgerEntry.transactionId', '<', p('before'))
    .orderBy('ledgerEntry.transactionId', 'desc')
    .limit(p('limit')),
)

/** A page of a user's movements, the latest first: one range of the index for each of the user's two accounts. */
export function listStatement(
  reader: Pick<Reader, 'all'>,
  userId: UserId,
  { before, limit }: StatementPage,
): { rows: StatementRow[]; next: LedgerTransactionId | null } {
  const range = { before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 }
  const accounts = reader.all(accountsOfUser, { userId })
  const movements = mergeEntries(accounts.map(({ id }) => reader.all(entriesBefore, { accountId: id, ...range })))
  const rows = movements.slice(0, limit).map(({ amountKurus, balanceKurus, ...row }) => ({
    ...row,
    description: describeMovement(row.kind, amountKurus),
    amount: toLira(amountKurus),
    balance: toLira(balanceKurus),
  }))
  return { rows, next: movements.length > limit ? (rows.at(-1)?.id ?? null) : null }
}

/**
 * Adds up the entries of both accounts by transaction. The balance of one without an entry is that of its next older one,
 * so each list needs one entry more than the rows that are shown.
 */
function mergeEntries(lists: readonly (readonly Entry[])[]): Entry[] {
  const ids = [...new Set(lists.flatMap((list) => list.map(({ id }) => id)))].sort((a, b) => b - a)
  const positions = lists.map(() => 0)
  return ids.flatMap((id) => {
    const heads = lists.map((list, index) => list[positions[index] ?? 0])
    const own = heads.filter((head) => head?.id === id)
    const [first] = own
    for (const [index, head] of heads.entries()) if (head?.id === id) positions[index] = (positions[index] ?? 0) + 1
    const amountKurus = own.reduce((sum, entry) => sum + (entry?.amountKurus ?? 0), 0)
    const balanceKurus = heads.reduce((sum, head) => sum + (head?.balanceKurus ?? 0), 0)
    return first ? [{ ...first, amountKurus, balanceKurus }] : []
  })
}

/** A part of a statement as CSV, with the head in the first one. Income and expense have columns of their own. */
export function exportStatement(
  reader: Pick<Reader, 'all'>,
  { userId, before }: { userId: UserId; before: LedgerTransactionId | null },
): { csv: string; next: LedgerTransactionId | null } {
  const { rows, next } = listStatement(reader, userId, { before, limit: STATEMENT_EXPORT_ROWS })
  const cells = rows.map(({ createdAt, description, amount, balance, referenceId }) => [
    timeCell(createdAt),
    description,
    amount > 0 ? amountCell(amount) : '',
    amount < 0 ? amountCell(-amount) : '',
    amountCell(balance),
    String(referenceId),
  ])
  return { csv: before === null ? toCsv([EXPORT_HEAD, ...cells]) : withoutMark(toCsv(cells)), next }
}

/** A part of a file in its middle has no byte order mark. */
function withoutMark(csv: string): string {
  return csv.replace(/^\uFEFF/, '')
}
