import type { Ban, BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import { BAN_DURATION_MS, formatBanNotice } from '../../shared/moderation/rules.ts'
import type { BanId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { findUserByName, type UserRow, userById } from '../accounts/queries.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import { userStream } from '../database/streams.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { rootAdminStream } from '../presence/streams.ts'
import { fingerprintOfGuest } from './queries.ts'
import { removeUserMessages } from './remove-messages.ts'

declare module '../database/define-hooks.ts' {
  interface TransactionHooks {
    /** Somebody is banned from the site; `message` tells them why and until when. */
    onUserBanned: { userId: UserId; message: string }
  }
}

export interface BanUser {
  username: string
  /** Whose name it has to be, where it is known. */
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
 * Bans somebody from the whole site: the row by which every way in is refused, the end of their sessions, and of what
 * they said. A guest is banned with their browser and their address.
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
    if (!target || !admin) return refuse('NotFound', { message: 'Kullanıcı bulunamadı.' })
    if (target.id === admin.id) return refuse('Forbidden', { message: 'Kendinizi yasaklayamazsınız.' })
    if (target.role === 'rootadmin') return refuse('Forbidden', { message: 'Root adminler yasaklanamaz.' })

    const ban = replaceBan(tx, admin, target, input)
    endSessionsForBan(tx, target.id, ban)
    if (target.isGuest === 1) banFingerprint(tx, target.id, ban)
    removeUserMessages(tx, target)
    tx.emit({ stream: rootAdminStream, name: 'userBanned', payload: ban, actorId: admin.id })
    return { success: true, ban }
  },
})

/** Whoever holds the name, or held it: a guest who has gone may be banned too, by their id. */
function findBanTarget(tx: Transaction, { username, userId }: BanUser): UserRow | undefined {
  if (userId === undefined) return findUserByName(tx, username)
  const user = tx.get(userById, { id: userId })
  return user?.foldedName === foldName(username) ? user : undefined
}

/** The new terms take the place of those of before. */
function replaceBan(tx: Transaction, admin: UserRow, target: UserRow, { duration, banReason }: BanUser): Ban {
  const lasts = BAN_DURATION_MS[duration]
  const endsAt = lasts === null ? null : tx.now + lasts
  tx.run(liftEarlierBans, { userId: target.id, by: admin.id, now: tx.now })
  const row = { userId: target.id, reason: banReason, duration, bannedById: admin.id, now: tx.now, endsAt }
  const { lastId: id } = tx.run(insertBan, row)
  const { username } = target
  const isGuest = target.isGuest === 1
  return { id, userId: target.id, username, isGuest, duration, banReason, bannedBy: admin.username, at: tx.now, endsAt }
}

/** Tells them why before their sessions end, so that each connection closes with the code of a ban. */
function endSessionsForBan(tx: Transaction, userId: UserId, { banReason, duration, endsAt }: Ban): void {
  const message = formatBanNotice({ banReason, endsAt })
  const payload = { message, banReason, duration, endsAt }
  tx.emit({ stream: userStream(userId), name: 'systemBannedNotification', payload })
  tx.runHooks('onUserBanned', { userId, message })
}

function banFingerprint(tx: Transaction, userId: UserId, ban: Ban): void {
  const door = tx.get(fingerprintOfGuest, { userId })
  if (!door) return
  const { browserHash, addressHash } = door
  if (addressHash !== null) tx.run(insertBanFingerprint, { hash: addressHash, banId: ban.id, kind: 'address' })
  if (browserHash !== null) tx.run(insertBanFingerprint, { hash: browserHash, banId: ban.id, kind: 'browser' })
}
