import type { BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import type { RoomBanId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import type { Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from '../moderation/queries.ts'
import { findRoomBan, listRoomBansOfFingerprint } from './queries.ts'

/** What a ban from a room says. */
export interface RoomBanTerms {
  roomId: RoomId
  userId: UserId
  reason: BanReason
  duration: BanDuration
  bannedById: UserId
  /** Epoch milliseconds; null: until it is lifted. */
  endsAt: number | null
  /** The ban that this one repeats for another account from the same browser or address; null for the first. */
  sourceId: RoomBanId | null
}

const insertRoomBan = query<{ [K in keyof RoomBanTerms]: RoomBanTerms[K] } & { now: number }>()((db, p) =>
  db.insertInto('roomBan').values({
    roomId: p('roomId'),
    userId: p('userId'),
    reason: p('reason'),
    duration: p('duration'),
    bannedById: p('bannedById'),
    at: p('now'),
    endsAt: p('endsAt'),
    sourceId: p('sourceId'),
    liftedAt: null,
    liftedById: null,
  }),
)
const liftBansOfUser = query<{ roomId: RoomId; userId: UserId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('roomBan')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('roomId', '=', p('roomId'))
    .where('userId', '=', p('userId'))
    .where('liftedAt', 'is', null),
)

/** Stores a ban; earlier ones of the user in the room are lifted, so that only the new terms apply. */
export function insertBanOfRoom(tx: Transaction, terms: RoomBanTerms): RoomBanId {
  liftRoomBansOf(tx, { roomId: terms.roomId, userId: terms.userId, by: terms.bannedById })
  return tx.run(insertRoomBan, { ...terms, now: tx.now }).lastId
}

/** Lifts the ban of an account from a room, if there is one. */
export function liftRoomBansOf(tx: Transaction, ban: { roomId: RoomId; userId: UserId; by: UserId }): void {
  tx.run(liftBansOfUser, { ...ban, now: tx.now })
}

/** Bans an account from the rooms from which its browser or address was banned before its session began. */
export function carryRoomBans(
  tx: Transaction,
  { userId, fingerprint, enteredAt }: { userId: UserId; fingerprint: GuestFingerprint; enteredAt: number },
): void {
  for (const ban of listRoomBansOfFingerprint(tx, fingerprint, enteredAt, tx.now)) {
    if (findRoomBan(tx, userId, ban.roomId, tx.now)) continue
    const { roomId, reason, duration, bannedById, endsAt } = ban
    insertBanOfRoom(tx, { roomId, userId, reason, duration, bannedById, endsAt, sourceId: ban.sourceId ?? ban.id })
  }
}
