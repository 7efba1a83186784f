import type { Ban, BanDuration, BanKind, BanReason } from '../../../shared/moderation/protocol.ts'
import { endOfDuration, formatBanNotice, ONLY_GUESTS_GHOST_BANNED } from '../../../shared/moderation/rules.ts'
import type { BanId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream, rootAdminStream } from '../../kernel/presence/streams.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { recordAction } from '../audit/transactions.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { applyToSameBrowsers, listFingerprintsToBan } from '../fingerprints/transactions.ts'
import { insertRow, query } from '../schema/query.ts'
import { type BanTerms, findBanningAdmin, storeBan } from './ban-rows.ts'
import { liftGhostBan, storeGhostBan } from './ghost-bans.ts'
import {
  getActiveBan,
  getActiveBanOfFingerprint,
  hasBeenGhost,
  hasShownMessage,
  listActiveBansOfUser,
} from './queries.ts'
import { removeUserMessages } from './remove-messages.ts'

/** A user is banned from the site; `message` is the Turkish notice with the reason and the end. */
export const onUserBanned = new Hook<{ userId: UserId; message: string }>()

const insertBanFingerprint = query<{ hash: string; banId: BanId; kind: 'browser' | 'address' }>()((db, p) =>
  db
    .insertInto('banFingerprint')
    .values({ hash: p('hash'), banId: p('banId'), kind: p('kind') })
    .onConflict((conflict) => conflict.doNothing()),
)
const newestMessageOfSender = query<{ roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId')),
)
const insertRoomSenderRemoval = insertRow('roomSenderRemoval', ['roomId', 'senderId', 'upToId'])

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
  // Where all of them were a ghost's, nobody else knows of any.
  const audience = hasBeenGhost(tx, senderId) && !hasShownMessage(tx, roomId, senderId) ? 'actor' : null
  tx.emit({ stream: roomStream(roomId), name: 'removeBannedMessages', payload, actorId: senderId, audience })
}

/**
 * Bans a user from the whole site within the caller's transaction, which is the whole effect of `POST /users/ban`: stores
 * the ban that every sign-in checks, ends the user's sessions and removes their messages. The user's browsers are banned
 * too, and a guest's addresses (model/fingerprints). Refuses with Forbidden.
 */
export function applySiteBan(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { duration, banReason }: { duration: BanDuration; banReason: BanReason },
): Ban | Refusal {
  const admin = findBanningAdmin(tx, actor, target)
  if (admin instanceof Refusal) return admin
  const terms = {
    reason: banReason,
    duration,
    bannedById: admin.id,
    endsAt: endOfDuration(duration, tx.now),
    sourceId: null,
  }
  const ban = enforceSiteBan(tx, target, terms)
  banFingerprintsOf(tx, target, ban.id)
  removeUserMessages(tx, target)
  return ban
}

/** Bans a present guest or new member whose browser is banned now. It ends with the ban that it repeats. */
export function extendSiteBanToAccount(
  tx: Transaction,
  { userId, fingerprint, enteredAt }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number },
): void {
  const ban = getActiveBanOfFingerprint(tx, fingerprint, enteredAt, tx.now)
  const user = ban && tx.get(userById, { id: userId })
  if (!user || user.role === 'rootadmin' || getActiveBan(tx, userId, tx.now)) return
  const { duration, bannedById, endsAt } = ban
  const reason = ban.reason as BanReason // only ghost bans have another
  enforceSiteBan(tx, user, { reason, duration, bannedById, endsAt, sourceId: ban.sourceId ?? ban.id })
}

function enforceSiteBan(
  tx: Transaction,
  target: UserRow,
  terms: Omit<BanTerms, 'kind' | 'reason'> & { reason: BanReason },
): Ban {
  const ban = storeBan(tx, target, { ...terms, kind: 'site' })
  const { reason, duration, bannedById: actorId, endsAt } = terms
  const message = formatBanNotice({ banReason: reason, endsAt })
  // The notice comes before the sessions end, so that each connection closes with the close code of a ban.
  const payload = { message, banReason: reason, duration, endsAt }
  tx.emit({ stream: userStream(target.id), name: 'systemBannedNotification', payload })
  tx.runHooks(onUserBanned, { userId: target.id, message })
  tx.emit({ stream: rootAdminStream, name: 'userBanned', payload: ban, actorId })
  recordAction(tx, { kind: 'siteBan', actorId, targetUserId: target.id, reason, endsAt })
  return ban
}

/**
 * Ghost-bans a guest within the caller's transaction: from now on everybody but root admins takes the guest for one who
 * has left, and the guest notices nothing. The guest's browsers and addresses are covered too. Refuses with Forbidden.
 */
export function applyGhostBan(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { duration }: { duration: BanDuration },
): Ban | Refusal {
  const admin = findBanningAdmin(tx, actor, target)
  if (admin instanceof Refusal) return admin
  if (target.isGuest === 0) return refuse('Forbidden', { message: ONLY_GUESTS_GHOST_BANNED })
  const endsAt = endOfDuration(duration, tx.now)
  const ban = storeGhostBan(tx, target, { duration, bannedById: admin.id, endsAt, sourceId: null })
  banFingerprintsOf(tx, target, ban.id)
  const reason = ban.banReason
  recordAction(tx, { kind: 'ghostBan', actorId: admin.id, targetUserId: target.id, reason, endsAt })
  return ban
}

/** A ban and those that repeat it. */
const siteBansOf = query<{ id: BanId }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .select(['ban.userId', 'user.username'])
    .where((eb) => eb.or([eb('ban.id', '=', p('id')), eb('ban.sourceId', '=', p('id'))]))
    .where('ban.liftedAt', 'is', null),
)
const setLifted = query<{ id: BanId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('ban')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where((eb) => eb.or([eb('id', '=', p('id')), eb('sourceId', '=', p('id'))]))
    .where('liftedAt', 'is', null),
)

/** Lifts the active bans of a user, of both kinds or of one; returns how many. The caller has checked the actor. */
export function liftBansOf(tx: Transaction, actor: Actor, userId: UserId, kind?: BanKind): number {
  const bans = listActiveBansOfUser(tx, userId, tx.now).filter((ban) => kind === undefined || ban.kind === kind)
  for (const ban of bans) {
    if (ban.kind === 'ghost') liftGhostBan(tx, actor, ban)
    else liftSiteBan(tx, actor, ban)
  }
  return bans.length
}

/** Lifts a ban with those that repeat it, as ghost bans are. */
function liftSiteBan(tx: Transaction, actor: Actor, { id, sourceId }: { id: BanId; sourceId: BanId | null }): void {
  for (const { userId, username } of tx.all(siteBansOf, { id: sourceId ?? id })) {
    tx.emit({ stream: rootAdminStream, name: 'banLifted', payload: { userId, username }, actorId: actor.userId })
    recordAction(tx, { kind: 'siteBanLifted', actorId: actor.userId, targetUserId: userId })
  }
  tx.run(setLifted, { id: sourceId ?? id, by: actor.userId, now: tx.now })
}

/** Bans the browsers and addresses of a banned user too (model/fingerprints), also for present users of the browsers. */
function banFingerprintsOf(tx: Transaction, target: UserRow, banId: BanId): void {
  extendBanToFingerprints(tx, banId, listFingerprintsToBan(tx, target))
  applyToSameBrowsers(tx, target.id)
}

/** Adds fingerprints to those that a ban covers. */
export function extendBanToFingerprints(
  tx: Transaction,
  banId: BanId,
  fingerprints: readonly { kind: 'browser' | 'address'; hash: string }[],
): void {
  for (const { kind, hash } of fingerprints) tx.run(insertBanFingerprint, { hash, banId, kind })
}
