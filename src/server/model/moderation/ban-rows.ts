import type { Ban, BanDuration, BanKind, StoredBanReason } from '../../../shared/moderation/protocol.ts'
import { CANNOT_BAN_ROOT_ADMIN, CANNOT_BAN_SELF } from '../../../shared/moderation/rules.ts'
import type { BanId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { insertRow, query } from '../schema/query.ts'

/** What a new ban says. */
export interface BanTerms {
  kind: BanKind
  reason: StoredBanReason
  duration: BanDuration
  bannedById: UserId
  /** Epoch milliseconds; null: until it is lifted. */
  endsAt: number | null
  /** The ban that this one repeats; null for the first. */
  sourceId: BanId | null
}

const insertBan = insertRow('ban', ['userId', 'kind', 'reason', 'duration', 'bannedById', 'at', 'endsAt', 'sourceId'], {
  liftedAt: null,
  liftedById: null,
})
const liftBansOfKind = query<{ userId: UserId; kind: BanKind; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('ban')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('liftedAt', 'is', null),
)
/** Bans that repeat an earlier ban of the same user and kind repeat the new one from now on, with its terms. */
const followNewBan = query<{
  userId: UserId
  kind: BanKind
  sourceId: BanId
  duration: BanDuration
  endsAt: number | null
}>()((db, p) =>
  db
    .updateTable('ban')
    .set({ sourceId: p('sourceId'), duration: p('duration'), endsAt: p('endsAt') })
    .where('liftedAt', 'is', null)
    .where('kind', '=', p('kind'))
    .where('sourceId', 'in', db.selectFrom('ban').select('id').where('userId', '=', p('userId'))),
)

/** The root admin who bans this target; refuses those who may not ban, and targets who cannot be banned. */
export function findBanningAdmin(tx: Transaction, actor: Actor, target: UserRow): UserRow | Refusal {
  const admin = tx.get(userById, { id: actor.userId })
  if (actor.role !== 'rootadmin' || !admin) return refuse('Forbidden')
  if (target.id === admin.id) return refuse('Forbidden', { message: CANNOT_BAN_SELF })
  if (target.role === 'rootadmin') return refuse('Forbidden', { message: CANNOT_BAN_ROOT_ADMIN })
  return admin
}

/** Stores a ban. Earlier ones of its kind are lifted, so that only the new terms apply, also to the bans that repeat them. */
export function storeBan(tx: Transaction, target: UserRow, terms: BanTerms): Ban {
  const { id: userId } = target
  const { kind, bannedById, duration, endsAt } = terms
  tx.run(liftBansOfKind, { userId, kind, by: bannedById, now: tx.now })
  const { lastId: id } = tx.run(insertBan, { ...terms, userId, at: tx.now })
  tx.run(followNewBan, { userId, kind, sourceId: terms.sourceId ?? id, duration, endsAt })
  return toBan(tx, target, { ...terms, id, at: tx.now })
}

/** A stored ban as root admins see it. */
function toBan(
  tx: Transaction,
  { id: userId, username, isGuest }: UserRow,
  { id, kind, duration, reason: banReason, bannedById, at, endsAt }: BanTerms & Pick<Ban, 'id' | 'at'>,
): Ban {
  const bannedBy = tx.get(userById, { id: bannedById })?.username ?? ''
  return { id, kind, userId, username, isGuest: isGuest === 1, duration, banReason, bannedBy, at, endsAt }
}
