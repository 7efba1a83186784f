import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from './queries.ts'

/** A step is small, so that nobody waits for it. */
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
        // Where nothing is known this time, what was known counts on.
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

/** Notes through which browser and address a guest came, so that a ban finds them there. */
export function saveFingerprint(tx: Transaction, userId: UserId, { browserHash, addressHash }: GuestFingerprint): void {
  if (browserHash === null && addressHash === null) return
  tx.run(upsertFingerprint, { userId, browserHash: browserHash, addressHash: addressHash, now: tx.now })
}

/** Forgets where a guest came from who is a member now: their account tells them. */
export function deleteFingerprint(tx: Transaction, userId: UserId): void {
  tx.run(deleteFingerprintOfUser, { userId })
}

/** As `keepDoor`, for a guest who has come back. */
export const touchFingerprint = defineWrite({
  name: 'touchFingerprint',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, marks: GuestFingerprint): { noted: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    if (actor.role === 'guest') saveFingerprint(tx, actor.userId, marks)
    return { noted: true }
  },
})

/** One small step: forgets where guests came from who have not been here since. */
export function pruneFingerprints(tx: Transaction, before: number): number {
  return tx.run(deleteExpiredFingerprints, { before }).changes
}
