import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import {
  CANNOT_BAN_ROOT_ADMIN,
  CANNOT_BAN_SELF,
  endOfDuration,
  NOT_BANNED,
  ONLY_GUESTS_GHOST_BANNED,
} from '../../../shared/moderation/rules.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { CANNOT_BAN_ROOM_STAFF } from '../../../shared/room-access/rules.ts'
import {
  CANNOT_MUTE_ROOM_STAFF,
  CANNOT_MUTE_ROOT_ADMIN,
  CANNOT_MUTE_SELF,
  MUTED_BY_ROOT_ADMIN,
  NOT_MUTED,
} from '../../../shared/sanctions/texts.ts'
import { limitLines, plainText } from '../../../shared/text/plain-text.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName, type UserRow, userById } from '../accounts/queries.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import {
  type ListedRestriction,
  listActiveRestrictions,
  listRestrictionsOfFingerprint,
  listRestrictionsOfName,
} from '../restrictions/queries.ts'
import { imposeRestriction, liftRestrictionsOf, storeRestriction } from '../restrictions/transactions.ts'
import { findManagedRoom } from '../rooms/access.ts'
import { isRoomStaff, roomById } from '../rooms/queries.ts'
import type { RestrictionKind } from '../schema/restrictions.ts'
import { removeMessagesInRoom, removeUserMessages } from './remove-messages.ts'

/** What is decided about a user. */
export interface RestrictionInput {
  kind: RestrictionKind
  /** Of a room ban, and of a mute in a room; else null. */
  roomId: RoomId | null
  duration: BanDuration
  reason: string
}

/** Who is restricted: the holder of the name; by id, also a guest whose name was released. */
interface Named {
  username: string
  /** If given, refused unless this user has the name. */
  userId?: UserId | undefined
}

const banTexts = { self: CANNOT_BAN_SELF, rootAdmin: CANNOT_BAN_ROOT_ADMIN, staff: CANNOT_BAN_ROOM_STAFF }
const muteTexts = { self: CANNOT_MUTE_SELF, rootAdmin: CANNOT_MUTE_ROOT_ADMIN, staff: CANNOT_MUTE_ROOM_STAFF }

/** As `restrict`, by name; refuses with NotFound too. */
export function restrictByName(
  tx: Transaction,
  actor: Actor | null,
  named: Named,
  input: RestrictionInput,
): ListedRestriction | Refusal {
  const refusal = findStaffRefusal(tx, actor, input.roomId)
  if (refusal || !actor) return refusal ?? refuse('SessionEnded')
  const target = findNamed(tx, named)
  return target ? restrict(tx, actor, target, input) : refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
}

/**
 * Bans or mutes a user within the caller's transaction: on the site for root admins, in a room for its staff. The user's
 * browsers are covered too, and a guest's latest address. A ban removes the user's messages there; one from the site ends the
 * sessions, one from a room makes every region take the user out of it. Refuses with RoomNotFound or Forbidden.
 */
export function restrict(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { kind, roomId, duration, reason }: RestrictionInput,
): ListedRestriction | Refusal {
  const refusal = findStaffRefusal(tx, actor, roomId) ?? findTargetRefusal(tx, actor, target, { kind, roomId })
  if (refusal) return refusal
  const restriction = imposeRestriction(tx, target, {
    kind,
    userId: target.id,
    roomId,
    reason: limitLines(plainText(reason), 1),
    duration,
    imposedById: actor.userId,
    endsAt: endOfDuration(duration, tx.now),
    sourceId: null,
  })
  if (kind === 'siteBan') removeUserMessages(tx, target)
  if (kind === 'roomBan' && roomId !== null) removeMessagesInRoom(tx, roomId, target)
  return restriction
}

/**
 * Lifts every active restriction of these kinds and this place of users who have or had a name, because two guests may have
 * used one. Refuses with RoomNotFound, Forbidden or NotFound.
 */
export function liftByName(
  tx: Transaction,
  actor: Actor | null,
  username: string,
  place: { kinds: readonly RestrictionKind[]; roomId: RoomId | null },
): { success: true } | Refusal {
  const refusal = findStaffRefusal(tx, actor, place.roomId)
  if (refusal || !actor) return refusal ?? refuse('SessionEnded')
  const found = listRestrictionsOfName(tx, username, place, tx.now)
  if (found.length === 0) return refuse('NotFound', { message: place.kinds.includes('mute') ? NOT_MUTED : NOT_BANNED })
  if (found.some((one) => isProtected(tx, actor, one))) return refuse('Forbidden', { message: MUTED_BY_ROOT_ADMIN })
  for (const userId of new Set(found.map((one) => one.userId))) liftRestrictionsOf(tx, actor, userId, place)
  return { success: true }
}

/** Restricts an account as its browser or address is; root admins never, and staff not in their room. */
export function extendRestrictionsToAccount(
  tx: Transaction,
  {
    userId,
    fingerprint,
    enteredAt,
    isPresent,
  }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number; isPresent: boolean },
): void {
  const found = listRestrictionsOfFingerprint(tx, fingerprint, enteredAt, tx.now)
  if (found.length === 0 || tx.get(userById, { id: userId })?.role === 'rootadmin') return
  const own = listActiveRestrictions(tx, userId, tx.now)
  for (const { id, at, liftedAt, liftedById, ...terms } of found) {
    const isOwn = own.some(({ kind, roomId }) => kind === terms.kind && roomId === terms.roomId)
    if (isOwn || isStaffOf(tx, userId, terms.roomId)) continue
    const copy = { ...terms, userId, sourceId: terms.sourceId ?? id }
    storeRestriction(tx, copy, isPresent)
    own.push({ ...copy, id, at, liftedAt, liftedById })
  }
}

/** Why the actor may restrict nobody in a room, or on the site (null): Forbidden, RoomNotFound or SessionEnded. */
function findStaffRefusal(reader: Pick<Reader, 'get'>, actor: Actor | null, roomId: RoomId | null): Refusal | null {
  if (roomId === null) return actor?.role === 'rootadmin' ? null : refuse('Forbidden')
  if (!actor) return refuse('SessionEnded')
  const room = findManagedRoom(reader, actor, roomId)
  return room instanceof Refusal ? room : null
}

function findTargetRefusal(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { kind, roomId }: Pick<RestrictionInput, 'kind' | 'roomId'>,
): Refusal | null {
  const texts = kind === 'mute' ? muteTexts : banTexts
  const forbid = (message: string) => refuse('Forbidden', { message })
  if (target.id === actor.userId) return forbid(texts.self)
  if (target.role === 'rootadmin') return forbid(texts.rootAdmin)
  if (kind === 'ghostBan' && target.isGuest === 0) return forbid(ONLY_GUESTS_GHOST_BANNED)
  if (isStaffOf(tx, target.id, roomId)) return forbid(texts.staff)
  // Another mute would replace its terms.
  const present = listActiveRestrictions(tx, target.id, tx.now)
  const isReplaced = present.some((one) => one.kind === kind && one.roomId === roomId && isProtected(tx, actor, one))
  return isReplaced ? forbid(MUTED_BY_ROOT_ADMIN) : null
}

/** Whether a restriction is a root admin's mute in a room, which the staff of the room neither lifts nor replaces. */
function isProtected(
  tx: Transaction,
  actor: Actor,
  { kind, roomId, imposedById }: { kind: RestrictionKind; roomId: RoomId | null; imposedById: UserId },
): boolean {
  if (kind !== 'mute' || roomId === null || actor.role === 'rootadmin') return false
  return tx.get(userById, { id: imposedById })?.role === 'rootadmin'
}

function findNamed(tx: Transaction, { username, userId }: Named): UserRow | undefined {
  if (userId === undefined) return findUserByName(tx, username)
  const user = tx.get(userById, { id: userId })
  return user?.foldedName === foldName(username) ? user : undefined
}

/** Whether a user is the owner or an admin of a room; false for the whole site (null). */
export function isStaffOf(reader: Pick<Reader, 'get'>, userId: UserId, roomId: RoomId | null): boolean {
  const room = roomId === null ? undefined : reader.get(roomById, { id: roomId })
  return room !== undefined && isRoomStaff(reader, userId, room)
}
