import type { RestrictionId } from '../../../shared/protocol/ids.ts'
import { ROWS_PER_PAGE } from '../../../shared/text-filters/limits.ts'
import type { FingerprintBan, FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { listedRestrictions, toBan, whereActive } from '../../model/restrictions/queries.ts'
import { query } from '../../model/schema/query.ts'

const bansWithFingerprints = query<{ now: number; before: RestrictionId; limit: number }>()((db, p) =>
  listedRestrictions(db)
    .select(({ selectFrom }) => {
      const countCovered = (kind: FingerprintKind) =>
        selectFrom('restrictionFingerprint')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('restrictionFingerprint.restrictionId', '=', 'restriction.id')
          .where('restrictionFingerprint.kind', '=', kind)
      return [countCovered('browser').as('browsers'), countCovered('address').as('addresses')]
    })
    .where('restriction.kind', 'in', ['siteBan', 'ghostBan'])
    .where(whereActive(p))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('restrictionFingerprint')
          .select('hash')
          .whereRef('restrictionFingerprint.restrictionId', '=', 'restriction.id'),
      ),
    )
    .where('restriction.id', '<', p('before'))
    .orderBy('restriction.id', 'desc')
    .limit(p('limit')),
)

/** A page of the present bans that cover browsers or addresses, the latest first. */
export function listFingerprintBans(
  reader: Pick<Reader, 'all'>,
  now: number,
  before: RestrictionId = Number.MAX_SAFE_INTEGER,
  limit: number = ROWS_PER_PAGE,
): { markBans: FingerprintBan[]; next: RestrictionId | null } {
  const rows = reader.all(bansWithFingerprints, { now, before, limit: limit + 1 })
  const markBans = rows.slice(0, limit).map(
    ({ browsers, addresses, ...row }): FingerprintBan => ({
      ban: toBan(row),
      browsers: browsers ?? 0,
      addresses: addresses ?? 0,
    }),
  )
  return { markBans, next: rows.length > limit ? (markBans.at(-1)?.ban.id ?? null) : null }
}
