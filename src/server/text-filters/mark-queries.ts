import type { BanId, UserId } from '../../shared/protocol/ids.ts'
import { MARK_TOUCH_INTERVAL_MS, ROWS_PER_PAGE } from '../../shared/text-filters/limits.ts'
import type { MarkBan, MarkKind } from '../../shared/text-filters/linked-accounts-protocol.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { GuestFingerprint } from '../moderation/queries.ts'

/** The browsers and addresses of an account, those seen last first. */
export const marksOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('accountMark').selectAll().where('userId', '=', p('userId')).orderBy('lastSeenAt', 'desc'),
)
const markOfUser = query<{ userId: UserId; kind: MarkKind; hash: string }>()((db, p) =>
  db
    .selectFrom('accountMark')
    .select('lastSeenAt')
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('hash', '=', p('hash')),
)
const bansWithMarks = query<{ now: number; before: BanId; limit: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .innerJoin('user as admin', 'admin.id', 'ban.bannedById')
    .select([
      'ban.id',
      'ban.kind',
      'ban.userId',
      'user.username',
      'user.isGuest',
      'ban.duration',
      'ban.reason',
      'admin.username as bannedBy',
      'ban.at',
      'ban.endsAt',
    ])
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

/** Whether both marks of an account were written lately. */
export function areMarksCurrent(
  reader: Pick<Reader, 'get'>,
  userId: UserId,
  { browserHash, addressHash }: GuestFingerprint,
  now: number,
): boolean {
  const isCurrent = (kind: MarkKind, hash: string | null): boolean => {
    if (hash === null) return true
    const mark = reader.get(markOfUser, { userId, kind, hash })
    return mark !== undefined && now - mark.lastSeenAt < MARK_TOUCH_INTERVAL_MS
  }
  return isCurrent('browser', browserHash) && isCurrent('address', addressHash)
}

/** A page of the present bans that cover browsers or addresses, the latest first. */
export function listMarkBans(
  reader: Pick<Reader, 'all'>,
  now: number,
  before: BanId = Number.MAX_SAFE_INTEGER,
  limit: number = ROWS_PER_PAGE,
): { markBans: MarkBan[]; next: BanId | null } {
  const rows = reader.all(bansWithMarks, { now, before, limit: limit + 1 })
  const markBans = rows.slice(0, limit).map(
    ({ browsers, addresses, isGuest, reason, ...row }): MarkBan => ({
      ban: { ...row, isGuest: isGuest === 1, banReason: reason },
      browsers: browsers ?? 0,
      addresses: addresses ?? 0,
    }),
  )
  return { markBans, next: rows.length > limit ? (markBans.at(-1)?.ban.id ?? null) : null }
}
