import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import { CANNOT_BAN_ROOT_ADMIN, CANNOT_BAN_SELF, endOfDuration } from '../../../shared/moderation/rules.ts'
import type { RoomBanId, RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { CANNOT_BAN_ROOM_STAFF } from '../../../shared/room-access/rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName, type UserRow, userById } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { applyToSameBrowsers, listFingerprintsToBan } from '../../model/fingerprints/transactions.ts'
import { removeMessagesInRoom } from '../../model/moderation/transactions.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { emitRoomBan, insertBanOfRoom } from '../../model/rooms/entry-transactions.ts'
import { isRoomStaff, type RoomRow } from '../../model/rooms/queries.ts'
import { insertRow } from '../../model/schema/query.ts'

export interface BanFromRoom {
  id: RoomId
  username: string
  duration: BanDuration
  banReason: BanReason
}

const insertFingerprint = insertRow('roomBanFingerprint', ['hash', 'banId', 'kind'])

/**
 * Bans a user from a room: stores the ban that everything about the room checks, removes the user's messages there and
 * tells the room, on which every region takes the user out of it (room-exclusion.ts). The user's browsers are banned too, and
 * a guest's addresses. Refuses with RoomNotFound, Forbidden or NotFound.
 */
export const banFromRoom = defineCommand({
  name: 'banFromRoom',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: BanFromRoom): { success: true; ban: RoomBan } | Refusal {
    const staff = actor && tx.get(userById, { id: actor.userId })
    if (!actor || !staff) return refuse('SessionEnded')
    const room = findManagedRoom(tx, actor, input.id)
    if (room instanceof Refusal) return room
    const target = findUserByName(tx, input.username)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const cannotBan = reasonNotToBan(tx, actor, target, room)
    if (cannotBan !== null) return refuse('Forbidden', { message: cannotBan })

    const ban = storeBan(tx, staff, target, input)
    emitRoomBan(tx, room, ban)
    banFingerprintsOf(tx, target, ban.id)
    removeMessagesInRoom(tx, room.id, target)
    const action = { kind: 'roomBan', actorId: staff.id, targetUserId: target.id, roomId: room.id } as const
    recordAction(tx, { ...action, reason: ban.banReason, endsAt: ban.endsAt })
    return { success: true, ban }
  },
})

function reasonNotToBan(tx: Transaction, actor: Actor, target: UserRow, room: RoomRow): string | null {
  if (target.id === actor.userId) return CANNOT_BAN_SELF
  if (target.role === 'rootadmin') return CANNOT_BAN_ROOT_ADMIN
  return isRoomStaff(tx, target.id, room) ? CANNOT_BAN_ROOM_STAFF : null
}

function storeBan(
  tx: Transaction,
  staff: UserRow,
  { id: userId, username, isGuest }: UserRow,
  { id: roomId, duration, banReason }: BanFromRoom,
): RoomBan {
  const endsAt = endOfDuration(duration, tx.now)
  const terms = { roomId, userId, reason: banReason, duration, bannedById: staff.id, endsAt, sourceId: null }
  const id = insertBanOfRoom(tx, terms)
  const shown = { username, isGuest: isGuest === 1, duration, banReason, bannedBy: staff.username, at: tx.now, endsAt }
  return { id, roomId, userId, ...shown }
}

/** Bans the browsers and addresses of a banned user too (model/fingerprints), also for present users of the browsers. */
function banFingerprintsOf(tx: Transaction, target: UserRow, banId: RoomBanId): void {
  for (const { kind, hash } of listFingerprintsToBan(tx, target)) tx.run(insertFingerprint, { hash, banId, kind })
  applyToSameBrowsers(tx, target.id)
}
