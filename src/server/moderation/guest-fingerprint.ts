import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from './queries.ts'

/** A step is small, so that nobody waits for it. */
const BATCH_SIZE = 200

type FingerprintRow = { userId: number; browserMark: string | null; addressMark: string | null; now: number }

const upsertFingerprint = query<FingerprintRow>()((db, p) =>
  db
    .insertInto('guestDoor')
    .values({
      userId: p('userId'),
      browserMark: p('browserMark'),
      addressMark: p('addressMark'),
      notedAt: p('now'),
    })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({
        // Where nothing is known this time, what was known counts on.
        browserMark: eb.fn.coalesce('excluded.browserMark', 'guestDoor.browserMark'),
        addressMark: eb.fn.coalesce('excluded.addressMark', 'guestDoor.addressMark'),
        notedAt: p('now'),
      })),
    ),
)
const deleteExpiredFingerprints = query<{ before: number }>()((db, p) =>
  db
    .deleteFrom('guestDoor')
    .where(
      'userId',
      'in',
      db.selectFrom('guestDoor').select('userId').where('notedAt', '<', p('before')).limit(BATCH_SIZE),
    ),
)

const deleteFingerprintOfUser = query<{ userId: number }>()((db, p) =>
  db.deleteFrom('guestDoor').where('userId', '=', p('userId')),
)

/** Notes through which browser and address a guest came, so that a ban finds them there. */
export function saveFingerprint(tx: Transaction, userId: number, { browserHash, addressHash }: GuestFingerprint): void {
  if (browserHash === null && addressHash === null) return
  tx.run(upsertFingerprint, { userId, browserMark: browserHash, addressMark: addressHash, now: tx.now })
}

/** Forgets where a guest came from who is a member now: their account tells them. */
export function deleteFingerprint(tx: Transaction, userId: number): void {
  tx.run(deleteFingerprintOfUser, { userId })
}

/** As `keepDoor`, for a guest who has come back. */
export function touchFingerprint(
  tx: Transaction,
  actor: Actor | null,
  marks: GuestFingerprint,
): { noted: true } | Refusal {
  if (!actor) return refuse('SessionEnded')
  if (actor.role === 'guest') saveFingerprint(tx, actor.userId, marks)
  return { noted: true }
}

/** One small step: forgets where guests came from who have not been here since. */
export function pruneFingerprints(tx: Transaction, before: number): number {
  return tx.run(deleteExpiredFingerprints, { before }).changes
}
