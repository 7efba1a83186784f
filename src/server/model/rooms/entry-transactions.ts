import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { RoomBanId, RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { formatRoomBanNotice } from '../../../shared/room-access/rules.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { userById } from '../accounts/queries.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { query } from '../schema/query.ts'
import { findRoomBan, listRoomBansOfFingerprint } from './entry-queries.ts'
import { isRoomStaff, type RoomRow, roomById } from './queries.ts'

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

type RoomBanNotice = Pick<RoomBan, 'userId' | 'username' | 'duration' | 'banReason' | 'endsAt'>

const setGrantSession = query<{ oldId: SessionId; newId: SessionId }>()((db, p) =>
  db
    .updateTable('roomGrant')
    .set({ sessionId: p('newId') })
    .where('sessionId', '=', p('oldId')),
)
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

/** Tells of a ban: the banned user gets the terms; the others in the room learn only who is banned. */
export function emitRoomBan(tx: Transaction, room: Pick<RoomRow, 'id' | 'name'>, ban: RoomBanNotice): void {
  const { userId, username, duration, banReason, endsAt } = ban
  const message = formatRoomBanNotice({ banReason, endsAt })
  const notice = { roomId: room.id, roomName: room.name, message, banReason, duration, endsAt }
  tx.emit({ stream: userStream(userId), name: 'bannedNotification', payload: notice })
  const payload = { roomId: room.id, userId, username }
  tx.emit({ stream: roomStream(room.id), name: 'userRoomBanned', payload })
}

/** Bans an account from the rooms from which its browser or address is banned, and takes a present user out of them. */
export function extendRoomBansToAccount(
  tx: Transaction,
  {
    userId,
    fingerprint,
    enteredAt,
    isPresent,
  }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number; isPresent: boolean },
): void {
  for (const ban of listRoomBansOfFingerprint(tx, fingerprint, enteredAt, tx.now)) {
    const { roomId, reason, duration, bannedById, endsAt } = ban
    const room = tx.get(roomById, { id: roomId })
    if (!room || isRoomStaff(tx, userId, room) || findRoomBan(tx, userId, roomId, tx.now)) continue
    insertBanOfRoom(tx, { roomId, userId, reason, duration, bannedById, endsAt, sourceId: ban.sourceId ?? ban.id })
    const username = tx.get(userById, { id: userId })?.username ?? ''
    if (isPresent) emitRoomBan(tx, room, { userId, username, duration, banReason: reason, endsAt })
  }
}

/** The rooms that a session has opened with their passwords are open to the session that replaces it. */
export function moveGrants(tx: Transaction, sessions: { oldId: SessionId; newId: SessionId }): void {
  tx.run(setGrantSession, sessions)
}
