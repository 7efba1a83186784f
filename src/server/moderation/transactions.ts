import type { UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from './queries.ts'

/** Keeps each step short, so that other commands do not wait behind it. */
const BATCH_SIZE = 200

type FingerprintRow = { userId: UserId; browserHash: string | null; addressHash: string | null; now: number }

const upsertFingerprint = query<FingerprintRow>()((db, p) =>
  db
    .insertInto('guestFingerprint')
    .values({
      userId: p('userId'),
      browserHash: p('browserHash'),
      addressHash: p('addressHash'),
      lastSeenAt: p('now'),
    })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({
        // An absent hash keeps the stored one.
        browserHash: eb.fn.coalesce('excluded.browserHash', 'guestFingerprint.browserHash'),
        addressHash: eb.fn.coalesce('excluded.addressHash', 'guestFingerprint.addressHash'),
        lastSeenAt: p('now'),
      })),
    ),
)
const deleteExpiredFingerprints = query<{ before: number }>()((db, p) =>
  db
    .deleteFrom('guestFingerprint')
    .where(
      'userId',
      'in',
      db.selectFrom('guestFingerprint').select('userId').where('lastSeenAt', '<', p('before')).limit(BATCH_SIZE),
    ),
)

const deleteFingerprintOfUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('guestFingerprint').where('userId', '=', p('userId')),
)

/** Stores a guest's fingerprint, so that a ban can cover their browser and address. Does nothing when both hashes are null. */
export function saveFingerprint(tx: Transaction, userId: UserId, { browserHash, addressHash }: GuestFingerprint): void {
  if (browserHash === null && addressHash === null) return
  tx.run(upsertFingerprint, { userId, browserHash, addressHash, now: tx.now })
}

/** Deletes the fingerprint of a guest who became a member: members are banned by account. */
export function deleteFingerprint(tx: Transaction, userId: UserId): void {
  tx.run(deleteFingerprintOfUser, { userId })
}

/** One step: deletes fingerprints not seen since `before` (epoch milliseconds); returns how many. */
export function pruneFingerprints(tx: Transaction, before: number): number {
  return tx.run(deleteExpiredFingerprints, { before }).changes
}
