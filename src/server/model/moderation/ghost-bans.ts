import type { Ban } from '../../../shared/moderation/protocol.ts'
import { GHOST_BAN_REASON } from '../../../shared/moderation/rules.ts'
import type { BanId, UserId } from '../../../shared/protocol/ids.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { recordAction } from '../audit/transactions.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { query } from '../schema/query.ts'
import { type BanTerms, storeBan } from './ban-rows.ts'
import { getActiveGhostBan, getActiveGhostBanOfFingerprint, listEndedGhosts } from './queries.ts'

/** A user is ghost-banned no more. */
export const onGhostBanEnded = new Hook<{ userId: UserId }>()

/** Keeps each step of the expiry short. */
const BATCH_SIZE = 100

const setIsGhost = query<{ id: UserId; isGhost: Flag }>()((db, p) =>
  db
    .updateTable('user')
    .set({ isGhost: p('isGhost') })
    .where('id', '=', p('id')),
)
/** The users of a ghost ban and of those that repeat it. */
const usersOfBan = query<{ id: BanId }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .select(['user.id', 'user.username'])
    .distinct()
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

/** Ghost-bans a user who comes from a browser or an address that a ghost ban covers. It ends with the ban that it repeats. */
export function extendGhostBanToAccount(
  tx: Transaction,
  { userId, fingerprint, enteredAt }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number },
): void {
  const ban = getActiveGhostBanOfFingerprint(tx, fingerprint, enteredAt, tx.now)
  const user = ban && tx.get(userById, { id: userId })
  if (!user || user.isGhost === 1 || user.role === 'rootadmin') return
  const { duration, bannedById, endsAt } = ban
  storeGhostBan(tx, user, { duration, bannedById, endsAt, sourceId: ban.sourceId ?? ban.id })
  recordAction(tx, { kind: 'ghostBanRepeated', actorId: null, targetUserId: userId, reason: ban.reason, endsAt })
}

/** Stores a ghost ban with its flag and its event. Earlier ones of the user, and those that repeat them, give way to it. */
export function storeGhostBan(tx: Transaction, user: UserRow, terms: Omit<BanTerms, 'kind' | 'reason'>): Ban {
  const ban = storeBan(tx, user, { ...terms, kind: 'ghost', reason: GHOST_BAN_REASON })
  tx.run(setIsGhost, { id: ban.userId, isGhost: 1 })
  tx.emit({ stream: rootAdminStream, name: 'ghostBanned', payload: ban, actorId: terms.bannedById })
  return ban
}

/** Lifts a ghost ban with all that belong to it: the first one, and those that repeat it. */
export function liftGhostBan(
  tx: Transaction,
  actor: Actor,
  { id, sourceId }: { id: BanId; sourceId: BanId | null },
): void {
  const firstId = sourceId ?? id
  const users = tx.all(usersOfBan, { id: firstId })
  tx.run(setLifted, { id: firstId, by: actor.userId, now: tx.now })
  for (const user of users) {
    endGhost(tx, user, actor.userId)
    recordAction(tx, { kind: 'ghostBanLifted', actorId: actor.userId, targetUserId: user.id })
  }
}

/** Clears the flag of users whose ghost bans have all ended by the clock, one step; returns how many. */
export function endExpiredGhostBans(tx: Transaction): number {
  const ended = listEndedGhosts(tx, tx.now, BATCH_SIZE)
  for (const user of ended) endGhost(tx, user)
  return ended.length
}

function endGhost(tx: Transaction, { id, username }: Pick<UserRow, 'id' | 'username'>, actorId?: UserId): void {
  if (getActiveGhostBan(tx, id, tx.now)) return
  tx.run(setIsGhost, { id, isGhost: 0 })
  tx.runHooks(onGhostBanEnded, { userId: id })
  const payload = { userId: id, username }
  tx.emit({ stream: rootAdminStream, name: 'ghostBanLifted', payload, ...(actorId !== undefined && { actorId }) })
}
