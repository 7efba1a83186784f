import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { RestrictionId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_BANNED_ADDRESS_AGE_MS } from '../../../shared/text-filters/limits.ts'
import type { FingerprintBan, FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import { FINGERPRINT_BAN_GONE_TEXT, NO_FINGERPRINTS_TEXT } from '../../../shared/text-filters/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { findUserByName, type UserRow } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { fingerprintsOfUser } from '../../model/fingerprints/queries.ts'
import { restrict } from '../../model/moderation/restrict.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { extendToFingerprints } from '../../model/restrictions/transactions.ts'
import { query } from '../../model/schema/query.ts'
import { listFingerprintBans } from './fingerprint-ban-queries.ts'

export interface BanMarks {
  username: string
  covers: FingerprintKind[]
  duration: BanDuration
  banReason: BanReason
}

const deleteFingerprints = query<{ banId: RestrictionId; kind: FingerprintKind }>()((db, p) =>
  db.deleteFrom('restrictionFingerprint').where('restrictionId', '=', p('banId')).where('kind', '=', p('kind')),
)
const banById = query<{ id: RestrictionId }>()((db, p) =>
  db.selectFrom('restriction').select('userId').where('id', '=', p('id')).where('kind', 'in', ['siteBan', 'ghostBan']),
)

const coverLabels: Readonly<Record<FingerprintKind, string>> = { browser: 'tarayıcı', address: 'adres' }

/**
 * Bans an account with its browsers, its recent addresses or both, until the ban of the account ends. Refuses with Forbidden
 * or NotFound.
 */
export const banMarks = defineCommand({
  name: 'banMarks',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: BanMarks): { success: true; markBan: FingerprintBan } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const target = findUserByName(tx, input.username)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const fingerprints = tx
      .all(fingerprintsOfUser, { userId: target.id })
      .filter(({ kind }) => input.covers.includes(kind))
      .filter(({ kind, lastSeenAt }) => kind === 'browser' || tx.now - lastSeenAt < MAX_BANNED_ADDRESS_AGE_MS)
    if (fingerprints.length === 0) return refuse('NotFound', { message: NO_FINGERPRINTS_TEXT })
    const banId = banAccount(tx, actor, target, input)
    if (banId instanceof Refusal) return banId
    extendToFingerprints(tx, banId, fingerprints)
    recordAction(tx, {
      kind: 'markBan',
      actorId: actor.userId,
      targetUserId: target.id,
      subject: { type: 'ban', id: banId },
      reason: input.banReason,
      details: { covers: input.covers.map((kind) => coverLabels[kind]).join(', ') },
    })
    tx.emit({ stream: rootAdminStream, name: 'markBansChanged', payload: { banId } })
    const [markBan] = listFingerprintBans(tx, tx.now, banId + 1, 1).markBans
    if (!markBan) throw new Error(`the ban ${banId} covers no fingerprints`)
    return { success: true, markBan }
  },
})

/** Lifts the ban of the browsers or the addresses that a ban covers. Refuses with Forbidden or NotFound. */
export const liftMarkBan = defineCommand({
  name: 'liftMarkBan',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { banId, kind }: { banId: RestrictionId; kind: FingerprintKind },
  ): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const ban = tx.get(banById, { id: banId })
    if (!ban || tx.run(deleteFingerprints, { banId, kind }).changes === 0)
      return refuse('NotFound', { message: FINGERPRINT_BAN_GONE_TEXT })
    recordAction(tx, {
      kind: 'markBanLifted',
      actorId: actor.userId,
      targetUserId: ban.userId,
      subject: { type: 'ban', id: banId },
      details: { covers: coverLabels[kind] },
    })
    tx.emit({ stream: rootAdminStream, name: 'markBansChanged', payload: { banId } })
    return { success: true }
  },
})

/** The ban of the account with these terms; one that has them already stays. */
function banAccount(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  { duration, banReason }: BanMarks,
): RestrictionId | Refusal {
  const present = getActiveRestriction(tx, { kind: 'siteBan', userId: target.id }, tx.now)
  if (present && present.duration === duration && present.reason === banReason) return present.id
  const terms = { kind: 'siteBan', roomId: null, duration, reason: banReason } as const
  const ban = restrict(tx, actor, target, terms)
  return ban instanceof Refusal ? ban : ban.id
}
