import type { LedgerTransactionId, UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../../model/schema/query.ts'
import type { SiteAccountKind, UserAccountKind } from '../../model/schema/wallet.ts'

/** Rows that one step reads, which takes a few milliseconds. */
const STEP_ROWS = 2_000
/** A check that has found as many faults stops. */
const MAX_FAULTS = 100

/** Where a check has come; `checkLedgerStep` returns the next one. */
export interface LedgerCheck {
  phase: 'start' | 'transactions' | 'entries' | 'accounts' | 'end'
  /** The last transaction that is checked: later ones are left for the next check. */
  upTo: LedgerTransactionId
  afterTransaction: LedgerTransactionId
  afterAccount: number
  /** Of the account after the last entry that was read. */
  balanceKurus: number
  /** Sum of the accounts that were read, each as of `upTo`. */
  totalKurus: number
  /** One line each. */
  faults: string[]
}

export const LEDGER_CHECK: LedgerCheck = {
  phase: 'start',
  upTo: 0,
  afterTransaction: 0,
  afterAccount: 0,
  balanceKurus: 0,
  totalKurus: 0,
  faults: [],
}

interface Range extends Record<string, number> {
  after: number
  upTo: number
}

/** By both tables: the rows of one could be missing. */
const lastTransaction = query()((db) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('ledgerTransaction')
      .select((t) => t.fn.max<number | null>('id').as('id'))
      .as('last'),
    eb
      .selectFrom('ledgerEntry')
      .select((e) => e.fn.max<number | null>('transactionId').as('id'))
      .as('lastWithEntry'),
  ]),
)
const transactionIds = query<Range>()((db, p) =>
  db.selectFrom('ledgerTransaction').select('id').where('id', '>', p('after')).where('id', '<=', p('upTo')),
)
const transactionSums = query<Range>()((db, p) =>
  db
    .selectFrom('ledgerEntry')
    .select((eb) => ['transactionId', eb.fn.sum<number>('amountKurus').as('sumKurus')])
    .where('transactionId', '>', p('after'))
    .where('transactionId', '<=', p('upTo'))
    .groupBy('transactionId'),
)
const entriesByAccount = query<{ accountId: number; transactionId: number; upTo: number; limit: number }>()((db, p) =>
  db
    .selectFrom('ledgerEntry')
    .selectAll()
    .where((eb) => eb(eb.refTuple('accountId', 'transactionId'), '>', eb.tuple(p('accountId'), p('transactionId'))))
    .where('transactionId', '<=', p('upTo'))
    .orderBy('accountId')
    .orderBy('transactionId')
    .limit(p('limit')),
)
const accountsAfter = query<{ accountId: number; upTo: number; limit: number }>()((db, p) =>
  db
    .selectFrom('ledgerAccount')
    .select((eb) => [
      'id',
      'kind',
      'userId',
      'balanceKurus as keptKurus',
      eb
        .selectFrom('ledgerEntry')
        .select('balanceKurus')
        .whereRef('accountId', '=', 'ledgerAccount.id')
        .orderBy('transactionId', 'desc')
        .limit(1)
        .as('lastKurus'),
      eb
        .selectFrom('ledgerEntry')
        .select('balanceKurus')
        .whereRef('accountId', '=', 'ledgerAccount.id')
        .where('transactionId', '<=', p('upTo'))
        .orderBy('transactionId', 'desc')
        .limit(1)
        .as('checkedKurus'),
    ])
    .where('id', '>', p('accountId'))
    .orderBy('id')
    .limit(p('limit')),
)

/** Checks the whole ledger and returns its faults, one line each. For the command line: the site checks in steps. */
export function checkLedger(reader: Reader): string[] {
  let check = LEDGER_CHECK
  while (check.phase !== 'end') check = checkLedgerStep(reader, check)
  return check.faults
}

/** One step of a check, from `LEDGER_CHECK` until its phase is `end`. Each step reads one state of the database. */
export function checkLedgerStep(reader: Reader, check: LedgerCheck): LedgerCheck {
  const next = reader.snapshot((snapshot) => runStep(snapshot, check))
  if (next.faults.length < MAX_FAULTS) return next
  return { ...next, phase: 'end', faults: [...next.faults.slice(0, MAX_FAULTS), 'the check stopped here'] }
}

function runStep(reader: Reader, check: LedgerCheck): LedgerCheck {
  switch (check.phase) {
    case 'start':
      return { ...check, phase: 'transactions', upTo: findLastTransaction(reader) }
    case 'transactions':
      return checkTransactions(reader, check)
    case 'entries':
      return checkEntries(reader, check)
    case 'accounts':
      return checkAccounts(reader, check)
    case 'end':
      return check
  }
}

function findLastTransaction(reader: Reader): LedgerTransactionId {
  const found = reader.get(lastTransaction)
  return Math.max(found?.last ?? 0, found?.lastWithEntry ?? 0)
}

/** Each transaction has a number without gaps, and its entries sum to zero. */
function checkTransactions(reader: Reader, check: LedgerCheck): LedgerCheck {
  const { afterTransaction: after, faults } = check
  const upTo = Math.min(check.upTo, after + STEP_ROWS)
  const ids = new Set(reader.all(transactionIds, { after, upTo }).map(({ id }) => id))
  const sums = reader.all(transactionSums, { after, upTo })
  const expected = Array.from({ length: upTo - after }, (_, index) => after + 1 + index)
  const found = [
    ...expected.filter((id) => !ids.has(id)).map((id) => `transaction ${id} is missing`),
    ...sums
      .filter(({ sumKurus }) => sumKurus !== 0)
      .map(({ transactionId, sumKurus }) => `the entries of transaction ${transactionId} sum to ${sumKurus} kuruş`),
  ]
  const isDone = upTo === check.upTo
  return {
    ...check,
    phase: isDone ? 'entries' : 'transactions',
    afterTransaction: isDone ? 0 : upTo,
    faults: [...faults, ...found],
  }
}

/** Each entry continues the balance of its account. */
function checkEntries(reader: Reader, check: LedgerCheck): LedgerCheck {
  const { upTo, faults } = check
  let { afterAccount, afterTransaction, balanceKurus } = check
  const found: string[] = []
  const from = { accountId: afterAccount, transactionId: afterTransaction }
  const entries = reader.all(entriesByAccount, { ...from, upTo, limit: STEP_ROWS })
  for (const entry of entries) {
    const before = entry.accountId === afterAccount ? balanceKurus : 0
    ;({ accountId: afterAccount, transactionId: afterTransaction, balanceKurus } = entry)
    const expected = before + entry.amountKurus
    if (balanceKurus !== expected) {
      const name = `the entry of transaction ${afterTransaction} in account ${afterAccount}`
      found.push(`${name} has the balance ${balanceKurus} instead of ${expected} kuruş`)
    }
  }
  const next = { ...check, faults: [...faults, ...found] }
  if (entries.length < STEP_ROWS) return { ...next, phase: 'accounts', afterAccount: 0 }
  return { ...next, afterAccount, afterTransaction, balanceKurus }
}

/** Each account keeps the balance of its last entry, only the bank's is negative, and all sum to zero. */
function checkAccounts(reader: Reader, check: LedgerCheck): LedgerCheck {
  const accounts = reader.all(accountsAfter, { accountId: check.afterAccount, upTo: check.upTo, limit: STEP_ROWS })
  const found = accounts.flatMap((account) => faultsOfAccount(account))
  const totalKurus = accounts.reduce((sum, { checkedKurus }) => sum + (checkedKurus ?? 0), check.totalKurus)
  const last = accounts.at(-1)
  const isDone = accounts.length < STEP_ROWS
  if (isDone && totalKurus !== 0) found.push(`all accounts sum to ${totalKurus} kuruş`)
  return {
    ...check,
    phase: isDone ? 'end' : 'accounts',
    afterAccount: last?.id ?? check.afterAccount,
    totalKurus,
    faults: [...check.faults, ...found],
  }
}

interface CheckedAccount {
  id: number
  kind: SiteAccountKind | UserAccountKind
  userId: UserId | null
  keptKurus: number
  lastKurus: number | null
}

function faultsOfAccount({ id, kind, userId, keptKurus, lastKurus }: CheckedAccount): string[] {
  const name = `account ${id} (${userId === null ? kind : `${kind} of user ${userId}`})`
  const expected = lastKurus ?? 0
  return [
    ...(keptKurus === expected ? [] : [`${name} keeps ${keptKurus} instead of ${expected} kuruş`]),
    ...(keptKurus >= 0 || kind === 'bank' ? [] : [`${name} is negative: ${keptKurus} kuruş`]),
  ]
}
