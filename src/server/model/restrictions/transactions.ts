import type { BanReason } from '../../../shared/moderation/protocol.ts'
import type { RestrictionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream, rootAdminStream } from '../../kernel/presence/streams.ts'
import type { UserRow } from '../accounts/queries.ts'
import { recordAction } from '../audit/transactions.ts'
import { applyToSameBrowsers, listFingerprintsToBan } from '../fingerprints/transactions.ts'
import { insertRow, query, type Tables, updateRow } from '../schema/query.ts'
import type { RestrictionKind } from '../schema/restrictions.ts'
import {
  formatNotice,
  getActiveRestriction,
  getRestriction,
  type ListedRestriction,
  listActiveRestrictions,
  listEndedGhosts,
  toBan,
  toMute,
  toOwnMute,
  whereActive,
} from './queries.ts'

/** A user is banned from the site; `message` is the Turkish notice with the reason and the end. */
export const onUserBanned = new Hook<{ userId: UserId; message: string }>()
/** A user is ghost-banned no more. */
export const onGhostBanEnded = new Hook<{ userId: UserId }>()

/** What a new restriction says. */
export type RestrictionTerms = Omit<Tables['restriction'], 'id' | 'at' | 'liftedAt' | 'liftedById'>

/** Keeps each step of the expiry short. */
const BATCH_SIZE = 100

const insertRestriction = insertRow(
  'restriction',
  ['kind', 'userId', 'roomId', 'reason', 'duration', 'imposedById', 'at', 'endsAt', 'sourceId'],
  { liftedAt: null, liftedById: null },
)
const insertFingerprint = query<{ hash: string; restrictionId: RestrictionId; kind: 'browser' | 'address' }>()(
  (db, p) =>
    db
      .insertInto('restrictionFingerprint')
      .values({ hash: p('hash'), restrictionId: p('restrictionId'), kind: p('kind') })
      .onConflict((conflict) => conflict.doNothing()),
)
const liftEarlier = query<Pick<RestrictionTerms, 'kind' | 'userId' | 'roomId'> & { by: UserId; now: number }>()(
  (db, p) =>
    db
      .updateTable('restriction')
      .set({ liftedAt: p('now'), liftedById: p('by') })
      .where('userId', '=', p('userId'))
      .where('kind', '=', p('kind'))
      .where('roomId', 'is', p('roomId'))
      .where('liftedAt', 'is', null),
)
/** Active ones that repeat an earlier one of the same user, kind and place repeat the new one from now on, with its terms. */
const followNew = query<RestrictionTerms & { now: number }>()((db, p) =>
  db
    .updateTable('restriction')
    .set({
      sourceId: p('sourceId'),
      reason: p('reason'),
      duration: p('duration'),
      imposedById: p('imposedById'),
      endsAt: p('endsAt'),
    })
    .where(whereActive(p))
    .where(
      'sourceId',
      'in',
      db
        .selectFrom('restriction')
        .select('id')
        .where('userId', '=', p('userId'))
        .where('kind', '=', p('kind'))
        .where('roomId', 'is', p('roomId')),
    ),
)
/** A restriction and those that repeat it. */
const activeOfSource = query<{ id: RestrictionId; now: number }>()((db, p) =>
  db
    .selectFrom('restriction')
    .innerJoin('user', 'user.id', 'restriction.userId')
    .select(['restriction.id', 'restriction.kind', 'restriction.userId', 'user.username', 'restriction.roomId'])
    .where((eb) => eb.or([eb('restriction.id', '=', p('id')), eb('restriction.sourceId', '=', p('id'))]))
    .where(whereActive(p)),
)
const setLifted = updateRow('restriction', ['id'], ['liftedAt', 'liftedById'])
const setIsGhost = query<{ id: UserId; isGhost: Flag }>()((db, p) =>
  db
    .updateTable('user')
    .set({ isGhost: p('isGhost') })
    .where('id', '=', p('id')),
)

/**
 * Restricts a user, with the user's browsers and a guest's address (model/fingerprints), also for present users of the
 * browsers. The caller has checked that the actor may.
 */
export function imposeRestriction(tx: Transaction, target: UserRow, terms: RestrictionTerms): ListedRestriction {
  const restriction = storeRestriction(tx, terms, true)
  extendToFingerprints(tx, restriction.id, listFingerprintsToBan(tx, target))
  applyToSameBrowsers(tx, target.id)
  return restriction
}

/**
 * Stores a restriction and tells of it. Earlier ones of its kind and place are lifted, so that only the new terms apply, also
 * to those that repeat them.
 * @param isPresent whether the user may be in a room
 */
export function storeRestriction(tx: Transaction, terms: RestrictionTerms, isPresent: boolean): ListedRestriction {
  tx.run(liftEarlier, { ...terms, by: terms.imposedById, now: tx.now })
  const { lastId: id } = tx.run(insertRestriction, { ...terms, at: tx.now })
  tx.run(followNew, { ...terms, sourceId: terms.sourceId ?? id, now: tx.now })
  const restriction = getRestriction(tx, id)
  announce(tx, restriction, isPresent)
  recordImposed(tx, restriction)
  return restriction
}

/** Adds fingerprints to those that a restriction covers. */
export function extendToFingerprints(
  tx: Transaction,
  restrictionId: RestrictionId,
  fingerprints: readonly { kind: 'browser' | 'address'; hash: string }[],
): void {
  for (const { kind, hash } of fingerprints) tx.run(insertFingerprint, { hash, restrictionId, kind })
}

/** Tells the restricted user, except a ghost, and those who see the lists. */
function announce(tx: Transaction, restriction: ListedRestriction, isPresent: boolean): void {
  const { kind, userId, imposedById: actorId } = restriction
  if (kind === 'siteBan') emitSiteBan(tx, restriction)
  if (kind === 'roomBan' && isPresent) emitRoomBan(tx, restriction)
  if (kind === 'ghostBan') {
    tx.run(setIsGhost, { id: userId, isGhost: 1 })
    tx.emit({ stream: rootAdminStream, name: 'ghostBanned', payload: toBan(restriction), actorId })
  }
  if (kind === 'mute') {
    // Those that repeat it have changed too.
    for (const { id } of tx.all(activeOfSource, { id: restriction.id, now: tx.now })) {
      const muted = getRestriction(tx, id)
      emitOwnMute(tx, muted)
      tx.emit({ stream: rootAdminStream, name: 'userMuted', payload: toMute(muted) })
    }
  }
}

function emitSiteBan(tx: Transaction, ban: ListedRestriction): void {
  const { userId, imposedById: actorId } = ban
  const notice = noticeOf(ban)
  // The notice comes before the sessions end, so that each connection closes with the close code of a ban.
  tx.emit({ stream: userStream(userId), name: 'systemBannedNotification', payload: notice })
  tx.runHooks(onUserBanned, { userId, message: notice.message })
  tx.emit({ stream: rootAdminStream, name: 'userBanned', payload: toBan(ban), actorId })
}

/** The banned user gets the terms; the others in the room learn only who is banned. */
function emitRoomBan(tx: Transaction, ban: ListedRestriction): void {
  const { userId, username, roomId, roomName } = ban
  if (roomId === null || roomName === null) return
  const payload = { roomId, roomName, ...noticeOf(ban) }
  tx.emit({ stream: userStream(userId), name: 'bannedNotification', payload })
  tx.emit({ stream: roomStream(roomId), name: 'userRoomBanned', payload: { roomId, userId, username } })
}

function noticeOf({ reason, duration, endsAt, ...ban }: ListedRestriction) {
  const banReason = reason as BanReason // neither of a mute nor of a ghost ban
  return { message: formatNotice({ ...ban, reason, endsAt }), banReason, duration, endsAt }
}

function emitOwnMute(tx: Transaction, mute: Pick<ListedRestriction, 'userId' | 'roomId' | 'reason' | 'endsAt'>): void {
  const { userId, roomId } = mute
  tx.emit({ stream: userStream(userId), name: 'ownMuteChanged', payload: { roomId, mute: toOwnMute(mute) } })
}

/** What repeats a room ban or a mute is not recorded: staff has restricted one user. */
function recordImposed(tx: Transaction, restriction: ListedRestriction): void {
  const { kind, userId: targetUserId, roomId, reason, endsAt, imposedById: actorId, sourceId } = restriction
  const terms = { targetUserId, roomId, subject: subjectOf(restriction), reason, endsAt }
  const muteKind = roomId === null ? 'siteMute' : 'roomMute'
  if (sourceId === null || kind === 'siteBan')
    recordAction(tx, { kind: kind === 'mute' ? muteKind : kind, actorId, ...terms })
  else if (kind === 'ghostBan') recordAction(tx, { kind: 'ghostBanRepeated', actorId: null, ...terms })
}

function subjectOf({ id, kind }: Pick<ListedRestriction, 'id' | 'kind'>) {
  return kind === 'mute' ? { type: 'mute', id } : null
}

/**
 * Lifts the active restrictions of a user, also where they came back under other names; returns how many of the user's own.
 * The caller has checked that the actor may.
 * @param roomId only that room; null: only the site; absent: everywhere
 * @param ofOthers false: those under other names stay
 */
export function liftRestrictionsOf(
  tx: Transaction,
  actor: Actor,
  userId: UserId,
  { kinds, roomId, ofOthers = true }: { kinds: readonly RestrictionKind[]; roomId?: RoomId | null; ofOthers?: boolean },
): number {
  const own = listActiveRestrictions(tx, userId, tx.now).filter(
    (one) => kinds.includes(one.kind) && (roomId === undefined || one.roomId === roomId),
  )
  for (const { id, sourceId } of own)
    for (const restriction of tx.all(activeOfSource, { id: sourceId ?? id, now: tx.now }))
      if (ofOthers || restriction.userId === userId) lift(tx, actor, restriction)
  return own.length
}

function lift(
  tx: Transaction,
  { userId: actorId }: Actor,
  restriction: Pick<ListedRestriction, 'id' | 'kind' | 'userId' | 'username' | 'roomId'>,
): void {
  const { id, kind, userId, username, roomId } = restriction
  tx.run(setLifted, { id, liftedAt: tx.now, liftedById: actorId })
  if (kind === 'siteBan')
    tx.emit({ stream: rootAdminStream, name: 'banLifted', payload: { userId, username }, actorId })
  if (kind === 'ghostBan') endGhost(tx, { id: userId, username }, actorId)
  if (kind === 'mute') {
    tx.emit({ stream: userStream(userId), name: 'ownMuteChanged', payload: { roomId, mute: null } })
    tx.emit({ stream: rootAdminStream, name: 'muteLifted', payload: { id, userId, roomId } })
  }
  const action = kind === 'mute' ? 'muteLifted' : (`${kind}Lifted` as const)
  recordAction(tx, { kind: action, actorId, targetUserId: userId, roomId, subject: subjectOf(restriction) })
}

/** Clears the flag of users whose ghost bans have all ended by the clock, one step; returns how many. */
export function endExpiredGhostBans(tx: Transaction): number {
  const ended = listEndedGhosts(tx, tx.now, BATCH_SIZE)
  for (const user of ended) endGhost(tx, user)
  return ended.length
}

function endGhost(tx: Transaction, { id, username }: Pick<UserRow, 'id' | 'username'>, actorId?: UserId): void {
  if (getActiveRestriction(tx, { kind: 'ghostBan', userId: id }, tx.now)) return
  tx.run(setIsGhost, { id, isGhost: 0 })
  tx.runHooks(onGhostBanEnded, { userId: id })
  const payload = { userId: id, username }
  tx.emit({ stream: rootAdminStream, name: 'ghostBanLifted', payload, ...(actorId !== undefined && { actorId }) })
}
