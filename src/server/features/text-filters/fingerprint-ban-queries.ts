import type { BanId } from '../../../shared/protocol/ids.ts'
import { ROWS_PER_PAGE } from '../../../shared/text-filters/limits.ts'
import type { FingerprintBan } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { BAN_COLUMNS } from '../../model/moderation/queries.ts'
import { query } from '../../model/schema/query.ts'

const bansWithFingerprints = query<{ now: number; before: BanId; limit: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .innerJoin('user as admin', 'admin.id', 'ban.bannedById')
    .select(BAN_COLUMNS)
    .select((eb) => [
      eb
        .selectFrom('banFingerprint')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('banFingerprint.banId', '=', 'ban.id')
        .where('banFingerprint.kind', '=', 'browser')
        .as('browsers'),
      eb
        .selectFrom('banFingerprint')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('banFingerprint.banId', '=', 'ban.id')
        .where('banFingerprint.kind', '=', 'address')
        .as('addresses'),
    ])
    .where('ban.liftedAt', 'is', null)
    .where((eb) => eb.or([eb('ban.endsAt', 'is', null), eb('ban.endsAt', '>', p('now'))]))
    .where((eb) =>
      eb.exists(
        eb.selectFrom('banFingerprint').select('banFingerprint.banId').whereRef('banFingerprint.banId', '=', 'ban.id'),
      ),
    )
    .where('ban.id', '<', p('before'))
    .orderBy('ban.id', 'desc')
    .limit(p('limit')),
)

/** A page of the present bans that cover browsers or addresses, the latest first. */
export function listFingerprintBans(
  reader: Pick<Reader, 'all'>,
  now: number,
  before: BanId = Number.MAX_SAFE_INTEGER,
  limit: number = ROWS_PER_PAGE,
): { markBans: FingerprintBan[]; next: BanId | null } {
  const rows = reader.all(bansWithFingerprints, { now, before, limit: limit + 1 })
  const markBans = rows.slice(0, limit).map(
    ({ browsers, addresses, isGuest, reason, ...row }): FingerprintBan => ({
      ban: { ...row, isGuest: isGuest === 1, banReason: reason },
      browsers: browsers ?? 0,
      addresses: addresses ?? 0,
    }),
  )
  return { markBans, next: rows.length > limit ? (markBans.at(-1)?.ban.id ?? null) : null }
}
