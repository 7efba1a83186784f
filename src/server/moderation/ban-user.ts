import { USER_NOT_FOUND_TEXT } from '../../shared/accounts/protocol.ts'
import type { Ban, BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import {
  BAN_DURATION_MS,
  CANNOT_BAN_ROOT_ADMIN,
  CANNOT_BAN_SELF,
  formatBanNotice,
} from '../../shared/moderation/rules.ts'
import type { BanId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { findUserByName, type UserRow, userById } from '../accounts/queries.ts'
import { recordAction } from '../audit/transactions.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import { userStream } from '../database/streams.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { rootAdminStream } from '../presence/streams.ts'
import { fingerprintOfGuest } from './queries.ts'
import { removeUserMessages } from './remove-messages.ts'

declare module '../database/define-hooks.ts' {
  interface TransactionHooks {
    /** A user is banned from the site; `message` is the Turkish notice with the reason and the end. */
    onUserBanned: { userId: UserId; message: string }
  }
}

export interface BanUser {
  username: string
  /** The id of the target if the caller knows it; refused when it does not have this name. */
  userId?: UserId | undefined
  duration: BanDuration
  banReason: BanReason
}

const insertBan = query<{
  userId: UserId
  reason: BanReason
  duration: BanDuration
  bannedById: UserId
  now: number
  endsAt: number | null
}>()((db, p) =>
  db.insertInto('ban').values({
    userId: p('userId'),
    reason: p('reason'),
    duration: p('duration'),
    bannedById: p('bannedById'),
    at: p('now'),
    endsAt: p('endsAt'),
    liftedAt: null,
    liftedById: null,
  }),
)
const liftEarlierBans = query<{ userId: UserId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('ban')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('userId', '=', p('userId'))
    .where('liftedAt', 'is', null),
)
const insertBanFingerprint = query<{ hash: string; banId: BanId; kind: 'browser' | 'address' }>()((db, p) =>
  db.insertInto('banFingerprint').values({ hash: p('hash'), banId: p('banId'), kind: p('kind') }),
)

/**
 * Bans a user from the whole site: stores the ban that every sign-in checks, ends their sessions and removes their
 * messages. A guest's browser and address are banned too. Only root admins; refuses with Forbidden or NotFound.
 */
export const banUser = defineWrite({
  name: 'banUser',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: true,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, input: BanUser): { success: true; ban: Ban } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const admin = tx.get(userById, { id: actor.userId })
    const target = findBanTarget(tx, input)
    if (!target || !admin) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    if (target.id === admin.id) return refuse('Forbidden', { message: CANNOT_BAN_SELF })
    if (target.role === 'rootadmin') return refuse('Forbidden', { message: CANNOT_BAN_ROOT_ADMIN })

    const ban = replaceBan(tx, admin, target, input)
    endSessionsForBan(tx, target.id, ban)
    if (target.isGuest === 1) banFingerprint(tx, target.id, ban)
    removeUserMessages(tx, target)
    tx.emit({ stream: rootAdminStream, name: 'userBanned', payload: ban, actorId: admin.id })
    const { banReason: reason, endsAt } = ban
    recordAction(tx, { kind: 'siteBan', actorId: admin.id, targetUserId: target.id, reason, endsAt })
    return { success: true, ban }
  },
})

/** By id, a guest whose name was released is found too; by name alone, only the current holder. */
function findBanTarget(tx: Transaction, { username, userId }: BanUser): UserRow | undefined {
  if (userId === undefined) return findUserByName(tx, username)
  const user = tx.get(userById, { id: userId })
  return user?.foldedName === foldName(username) ? user : undefined
}

/** Lifts earlier bans of the target, so that only the new terms apply. */
function replaceBan(tx: Transaction, admin: UserRow, target: UserRow, { duration, banReason }: BanUser): Ban {
  const durationMs = BAN_DURATION_MS[duration]
  const endsAt = durationMs === null ? null : tx.now + durationMs
  tx.run(liftEarlierBans, { userId: target.id, by: admin.id, now: tx.now })
  const row = { userId: target.id, reason: banReason, duration, bannedById: admin.id, now: tx.now, endsAt }
  const { lastId: id } = tx.run(insertBan, row)
  const { username } = target
  const isGuest = target.isGuest === 1
  return { id, userId: target.id, username, isGuest, duration, banReason, bannedBy: admin.username, at: tx.now, endsAt }
}

/** Emits the notice before the sessions end, so that each connection closes with the close code of a ban. */
function endSessionsForBan(tx: Transaction, userId: UserId, { banReason, duration, endsAt }: Ban): void {
  const message = formatBanNotice({ banReason, endsAt })
  const payload = { message, banReason, duration, endsAt }
  tx.emit({ stream: userStream(userId), name: 'systemBannedNotification', payload })
  tx.runHooks('onUserBanned', { userId, message })
}

function banFingerprint(tx: Transaction, userId: UserId, ban: Ban): void {
  const fingerprint = tx.get(fingerprintOfGuest, { userId })
  if (!fingerprint) return
  const { browserHash, addressHash } = fingerprint
  if (addressHash !== null) tx.run(insertBanFingerprint, { hash: addressHash, banId: ban.id, kind: 'address' })
  if (browserHash !== null) tx.run(insertBanFingerprint, { hash: browserHash, banId: ban.id, kind: 'browser' })
}
