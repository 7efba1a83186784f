import type { UserId } from '../../../shared/protocol/ids.ts'
import { MAX_BANNED_ADDRESS_AGE_MS, MAX_FINGERPRINTS_OF_USER } from '../../../shared/text-filters/limits.ts'
import type { FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'
import { type Fingerprint, fingerprintsOfUser } from './queries.ts'

/**
 * A guest or a new member uses this browser and address, so that bans of these extend to the account.
 * `enteredAt` is when their session began; with `isPresent` they may already be in a room.
 */
export const onFingerprintRecorded = new Hook<{
  userId: UserId
  fingerprint: Fingerprint
  enteredAt: number
  isPresent: boolean
}>()

/** For this long after registration a member is treated as a guest: the account may have been made to evade a ban. */
const NEW_MEMBER_MS = 7 * 24 * 60 * 60_000
/** Accounts of the same browsers to which one ban extends. */
const MAX_ACCOUNTS_OF_BAN = 20

const upsertFingerprint = query<{ userId: UserId; kind: FingerprintKind; hash: string; now: number }>()((db, p) =>
  db
    .insertInto('accountMark')
    .values({
      userId: p('userId'),
      kind: p('kind'),
      hash: p('hash'),
      firstSeenAt: p('now'),
      lastSeenAt: p('now'),
    })
    .onConflict((conflict) => conflict.columns(['userId', 'kind', 'hash']).doUpdateSet({ lastSeenAt: p('now') })),
)
const deleteFingerprint = query<{ userId: UserId; kind: FingerprintKind; hash: string }>()((db, p) =>
  db
    .deleteFrom('accountMark')
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('hash', '=', p('hash')),
)
/** The guests and members that have used a browser of this account, those seen last first. */
const accountsOfBrowsers = query<{ userId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('accountMark as own')
    .innerJoin('accountMark as other', 'other.hash', 'own.hash')
    .innerJoin('user', 'user.id', 'other.userId')
    .select(['other.userId', 'other.hash'])
    .where('own.userId', '=', p('userId'))
    .where('own.kind', '=', 'browser')
    .where('other.userId', '!=', p('userId'))
    .where('user.nameReleasedAt', 'is', null)
    .orderBy('other.lastSeenAt', 'desc')
    .limit(p('limit')),
)

/**
 * Records what browser and address an account uses now; beyond the maximum, the fingerprints that were seen longest ago are deleted.
 * Bans of the browser or address extend to guests and new members.
 * @param enteredAt when the session began
 */
export function recordFingerprint(tx: Transaction, userId: UserId, fingerprint: Fingerprint, enteredAt: number): void {
  const { browserHash, cookieHash = null, addressHash, isSharedAddress = false } = fingerprint
  for (const hash of new Set([browserHash, cookieHash]))
    if (hash !== null) touchFingerprint(tx, userId, 'browser', hash)
  if (addressHash !== null && !isSharedAddress) touchFingerprint(tx, userId, 'address', addressHash)
  rejudge(tx, userId, { userId, fingerprint, enteredAt, isPresent: false })
}

/**
 * The fingerprints that a ban of this user covers: the browsers, and of a guest the latest address too. Many people share the
 * addresses of a mobile network, so earlier ones are left out.
 */
export function listFingerprintsToBan(
  tx: Transaction,
  { id, isGuest }: UserRow,
): { kind: FingerprintKind; hash: string }[] {
  const fingerprints = tx.all(fingerprintsOfUser, { userId: id })
  const latestAddress = isGuest === 1 ? fingerprints.find(({ kind }) => kind === 'address') : undefined
  const isCovered = latestAddress && tx.now - latestAddress.lastSeenAt < MAX_BANNED_ADDRESS_AGE_MS
  return fingerprints.filter(
    (fingerprint) => fingerprint.kind === 'browser' || (isCovered && fingerprint === latestAddress),
  )
}

/** Extends a new ban of a user's browsers to the guests and new members who use them already. */
export function applyToSameBrowsers(tx: Transaction, userId: UserId): void {
  for (const other of tx.all(accountsOfBrowsers, { userId, limit: MAX_ACCOUNTS_OF_BAN })) {
    const fingerprint = { browserHash: other.hash, addressHash: null }
    rejudge(tx, other.userId, { userId: other.userId, fingerprint, enteredAt: tx.now, isPresent: true })
  }
}

function touchFingerprint(tx: Transaction, userId: UserId, kind: FingerprintKind, hash: string): void {
  tx.run(upsertFingerprint, { userId, kind, hash, now: tx.now })
  const others = tx
    .all(fingerprintsOfUser, { userId })
    .filter((fingerprint) => fingerprint.kind === kind && fingerprint.hash !== hash)
  for (const fingerprint of others.slice(MAX_FINGERPRINTS_OF_USER - 1))
    tx.run(deleteFingerprint, { userId, kind, hash: fingerprint.hash })
}

/** Of a member only the browser counts, because many people share an address. */
function rejudge(
  tx: Transaction,
  userId: UserId,
  { fingerprint, ...entry }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number; isPresent: boolean },
): void {
  const user = tx.get(userById, { id: userId })
  if (!user || user.role === 'rootadmin') return
  if (user.isGuest === 0 && tx.now - (user.termsAcceptedAt ?? 0) >= NEW_MEMBER_MS) return
  const isSignUp = user.termsAcceptedAt === tx.now
  const covered = user.isGuest === 1 || isSignUp ? fingerprint : { ...fingerprint, addressHash: null }
  tx.runHooks(onFingerprintRecorded, { ...entry, fingerprint: covered })
}
