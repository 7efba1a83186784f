import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Transaction } from '../database/transact.ts'
import { roomStream } from '../rooms/streams.ts'
import type { GuestFingerprint } from './queries.ts'

declare module '../database/define-hooks.ts' {
  interface TransactionHooks {
    /** A guest came from this browser and address; `enteredAt` is when their session began. */
    onFingerprintSaved: { userId: UserId; fingerprint: GuestFingerprint; enteredAt: number }
  }
}

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

/**
 * Stores a guest's fingerprint, so that a ban can cover their browser and address. Does nothing when both hashes are null.
 * @param enteredAt when the guest's session began
 */
export function saveFingerprint(
  tx: Transaction,
  userId: UserId,
  fingerprint: GuestFingerprint,
  enteredAt: number,
): void {
  const { browserHash, addressHash } = fingerprint
  if (browserHash === null && addressHash === null) return
  tx.run(upsertFingerprint, { userId, browserHash, addressHash, now: tx.now })
  tx.runHooks('onFingerprintSaved', { userId, fingerprint, enteredAt })
}

/** Deletes the fingerprint of a guest who became a member: members are banned by account. */
export function deleteFingerprint(tx: Transaction, userId: UserId): void {
  tx.run(deleteFingerprintOfUser, { userId })
}

/** One step: deletes fingerprints not seen since `before` (epoch milliseconds); returns how many. */
export function pruneFingerprints(tx: Transaction, before: number): number {
  return tx.run(deleteExpiredFingerprints, { before }).changes
}

const newestMessageOfSender = query<{ roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId')),
)
const insertRoomSenderRemoval = query<{ roomId: RoomId; senderId: UserId; upToId: MessageId }>()((db, p) =>
  db.insertInto('roomSenderRemoval').values({ roomId: p('roomId'), senderId: p('senderId'), upToId: p('upToId') }),
)

/** Hides all current messages of a sender in one room at once; `deleteRemovedMessages` deletes them later. */
export function removeMessagesInRoom(
  tx: Transaction,
  roomId: RoomId,
  { id: senderId, username }: { id: UserId; username: string },
): void {
  const upToId = tx.get(newestMessageOfSender, { roomId, senderId })?.id ?? null
  if (upToId === null) return
  tx.run(insertRoomSenderRemoval, { roomId, senderId, upToId })
  const payload = { roomId, userId: senderId, username }
  tx.emit({ stream: roomStream(roomId), name: 'removeBannedMessages', payload })
}
