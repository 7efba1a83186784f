import type { LedgerTransactionId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { type LedgerKind, toKurus, toLira } from '../../../shared/wallet/ledger.ts'
import { insufficientBalanceText, priceChangedText } from '../../../shared/wallet/texts.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { insertRow, query } from '../schema/query.ts'
import type { SiteAccountKind, UserAccountKind } from '../schema/wallet.ts'
import { balanceOf } from './queries.ts'

/** An account of the ledger. A user's two are created by the first credit. */
export type LedgerAccount = { kind: UserAccountKind; userId: UserId } | { kind: SiteAccountKind }

export interface Credit {
  account: LedgerAccount
  amountKurus: number
}

export interface Spending {
  amountKurus: number
  /** `earned`: of the withdrawable money only. */
  from?: 'any' | 'earned'
  kind: LedgerKind
  /** The room, request, gift or premium purchase; a second transaction of its kind is a bug, except renewals of a room. */
  referenceId: number
  /** Where the amount goes; their sum is the amount. */
  credits: readonly Credit[]
}

export interface Move {
  from: LedgerAccount
  to: LedgerAccount
  amountKurus: number
  kind: LedgerKind
  referenceId: number
  /** Who decided it; null for a job. */
  actorId: UserId | null
}

/** The id of a ledger transaction that was written. */
export interface Posted {
  ledgerTransactionId: LedgerTransactionId
}

interface Change {
  account: LedgerAccount
  amountKurus: number
}

const userAccount = query<{ userId: UserId; kind: UserAccountKind }>()((db, p) =>
  db
    .selectFrom('ledgerAccount')
    .select(['id', 'balanceKurus'])
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind')),
)
const siteAccount = query<{ kind: SiteAccountKind }>()((db, p) =>
  db
    .selectFrom('ledgerAccount')
    .select(['id', 'balanceKurus'])
    .where('kind', '=', p('kind'))
    .where('userId', 'is', null),
)
const insertAccount = insertRow('ledgerAccount', ['userId', 'kind'])
const insertTransaction = insertRow('ledgerTransaction', ['kind', 'referenceId', 'actorId', 'createdAt'])
const insertEntry = insertRow('ledgerEntry', ['transactionId', 'accountId', 'amountKurus', 'balanceKurus'])

/**
 * Takes money from a user, loaded before earned, and credits it to other accounts: one ledger transaction. Emits
 * `balanceUpdated` to each user concerned. Refuses with InsufficientBalance and no change. An amount of 0 is recorded
 * without entries. Throws when the credits do not add up, or when one is the user's own.
 */
export function spendBalance(
  tx: Transaction,
  userId: UserId,
  { amountKurus, from = 'any', kind, referenceId, credits }: Spending,
): Posted | Refusal {
  for (const amount of [amountKurus, ...credits.map((credit) => credit.amountKurus)]) assertAmount(amount)
  if (credits.some(({ account }) => 'userId' in account && account.userId === userId))
    throw new Error('nobody pays their own account')
  const { balanceKurus, withdrawableKurus } = balanceOf(tx, userId)
  const missingKurus = amountKurus - (from === 'earned' ? withdrawableKurus : balanceKurus)
  if (missingKurus > 0) return refuseInsufficient(missingKurus)
  const loadedKurus = from === 'earned' ? 0 : Math.min(amountKurus, balanceKurus - withdrawableKurus)
  const debits: Change[] = [
    { account: { kind: 'loaded', userId }, amountKurus: -loadedKurus },
    { account: { kind: 'earned', userId }, amountKurus: loadedKurus - amountKurus },
  ]
  return post(tx, { kind, referenceId, actorId: userId }, [...debits, ...credits])
}

/**
 * Moves money between accounts where no user spends it: bank to loaded (an approved load), withdrawals to bank (paid),
 * withdrawals to earned (returned). Emits `balanceUpdated` to each user concerned. Throws when the account has too little.
 */
export function moveMoney(tx: Transaction, { from, to, amountKurus, kind, referenceId, actorId }: Move): Posted {
  assertAmount(amountKurus)
  const changes = [
    { account: from, amountKurus: -amountKurus },
    { account: to, amountKurus },
  ]
  return post(tx, { kind, referenceId, actorId }, changes)
}

/** Refuses with PriceChanged and the price of now when another one was shown. `shown` is in lira; undefined: none was. */
export function refuseChangedPrice(shown: number | undefined, priceKurus: number): Refusal | null {
  if (shown === undefined || toKurus(shown) === priceKurus) return null
  const price = toLira(priceKurus)
  return refuse('PriceChanged', { price, message: priceChangedText(price) })
}

/**
 * Refuses with InsufficientBalance, as `spendBalance` does. Commands that write before they spend ask first: a refusal after
 * a write makes the writer run the whole batch again.
 */
export function refuseShortBalance(
  reader: Pick<Transaction, 'all'>,
  userId: UserId,
  amountKurus: number,
): Refusal | null {
  const missingKurus = amountKurus - balanceOf(reader, userId).balanceKurus
  return missingKurus > 0 ? refuseInsufficient(missingKurus) : null
}

function refuseInsufficient(missingKurus: number): Refusal {
  const missing = toLira(missingKurus)
  return refuse('InsufficientBalance', { missing, message: insufficientBalanceText(missing) })
}

/** Writes one transaction with an entry for each changed account. */
function post(
  tx: Transaction,
  { kind, referenceId, actorId }: Pick<Move, 'kind' | 'referenceId' | 'actorId'>,
  changes: readonly Change[],
): Posted {
  const totals = sumByAccount(changes)
  if (totals.reduce((sum, { amountKurus }) => sum + amountKurus, 0) !== 0)
    throw new Error(`the entries of a ${kind} do not sum to zero`)
  const { lastId: ledgerTransactionId } = tx.run(insertTransaction, { kind, referenceId, actorId, createdAt: tx.now })
  for (const change of totals) insertChange(tx, ledgerTransactionId, change)
  const userIds = new Set(totals.flatMap(({ account }) => ('userId' in account ? account.userId : [])))
  for (const userId of userIds) emitBalance(tx, userId)
  return { ledgerTransactionId }
}

/** One change for each account; those of nothing are left out. */
function sumByAccount(changes: readonly Change[]): Change[] {
  const totals = new Map<string, Change>()
  for (const { account, amountKurus } of changes) {
    const key = 'userId' in account ? `${account.kind} ${account.userId}` : account.kind
    totals.set(key, { account, amountKurus: (totals.get(key)?.amountKurus ?? 0) + amountKurus })
  }
  return [...totals.values()].filter(({ amountKurus }) => amountKurus !== 0)
}

function insertChange(tx: Transaction, transactionId: LedgerTransactionId, { account, amountKurus }: Change): void {
  const { id: accountId, balanceKurus } = openAccount(tx, account)
  tx.run(insertEntry, { transactionId, accountId, amountKurus, balanceKurus: balanceKurus + amountKurus })
}

function openAccount(tx: Transaction, account: LedgerAccount): { id: number; balanceKurus: number } {
  if (!('userId' in account)) {
    const found = tx.get(siteAccount, account)
    if (!found) throw new Error(`the ledger has no account ${account.kind}`)
    return found
  }
  const found = tx.get(userAccount, account)
  if (found) return found
  if (tx.get(userById, { id: account.userId })?.isGuest !== 0) throw new Error('only members have an account')
  return { id: tx.run(insertAccount, account).lastId, balanceKurus: 0 }
}

function emitBalance(tx: Transaction, userId: UserId): void {
  const { balanceKurus, withdrawableKurus } = balanceOf(tx, userId)
  const payload = { balance: toLira(balanceKurus), withdrawable: toLira(withdrawableKurus) }
  tx.emit({ stream: userStream(userId), name: 'balanceUpdated', payload })
}

function assertAmount(amountKurus: number): void {
  if (!Number.isSafeInteger(amountKurus) || amountKurus < 0) throw new Error(`${amountKurus} is no amount in kuruş`)
}
