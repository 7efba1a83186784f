import { type Kysely, sql } from 'kysely'
import type { Role } from '../../../shared/accounts/protocol.ts'
import type { Ban, BanReason, StoredBanReason } from '../../../shared/moderation/protocol.ts'
import { BANS_PER_PAGE } from '../../../shared/moderation/protocol.ts'
import { formatBanNotice } from '../../../shared/moderation/rules.ts'
import type { RestrictionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { formatRoomBanNotice } from '../../../shared/room-access/rules.ts'
import type { Mute, OwnMute } from '../../../shared/sanctions/protocol.ts'
import { formatMuteNotice } from '../../../shared/sanctions/texts.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { query, type Tables } from '../schema/query.ts'
import type { RestrictionKind } from '../schema/restrictions.ts'

type Row = Omit<Tables['restriction'], 'id'> & { id: RestrictionId }

/** What is asked: a restriction of one kind, on the site (without a room) or in a room; a mute of the site holds in rooms. */
interface Asked {
  kind: RestrictionKind
  userId: UserId
  roomId?: RoomId | null
}

/** A restriction is active while it is not lifted and its end is ahead by the site's clock. */
export const whereActive = <T extends { now: number }>(p: <K extends keyof T & string>(name: K) => T[K]) =>
  sql<boolean>`restriction.liftedAt is null and (restriction.endsAt is null or restriction.endsAt > ${p('now')})`

/** The latest of a place, which is the only one; it may have ended, so that a cached row needs no time. */
const ofPlace = query<{ kind: RestrictionKind; userId: UserId; roomId: RoomId | null }>()((db, p) =>
  db
    .selectFrom('restriction')
    .select(['id', 'kind', 'roomId', 'reason', 'duration', 'endsAt'])
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('roomId', 'is', p('roomId'))
    .where('liftedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)
const activeOfUser = query<{ userId: UserId; now: number }>()((db, p) =>
  db
    .selectFrom('restriction')
    .selectAll()
    .where('userId', '=', p('userId'))
    .where(whereActive(p))
    // Those of the site first.
    .orderBy(sql`roomId is null`, 'desc')
    .orderBy('id', 'desc'),
)
/** With `=` the index of a room's restrictions serves the query. */
const activeOfName = (comparison: '=' | 'is') =>
  query<{ kind: RestrictionKind; roomId: RoomId | null; foldedName: string; now: number }>()((db, p) =>
    db
      .selectFrom('restriction')
      .innerJoin('user', 'user.id', 'restriction.userId')
      .selectAll('restriction')
      .where('restriction.kind', '=', p('kind'))
      .where('restriction.roomId', comparison, p('roomId'))
      .where('user.foldedName', '=', p('foldedName'))
      .where(whereActive(p)),
  )
const activeOfNameInRoom = activeOfName('=')
const activeOfNameOnSite = activeOfName('is')
/**
 * A covered browser matches any session; a covered address only sessions that began after the restriction, because households
 * and networks share addresses.
 */
const activeOfFingerprint = query<{
  browser: string
  cookie: string
  address: string
  enteredAt: number
  now: number
}>()((db, p) =>
  db
    .selectFrom('restrictionFingerprint')
    .innerJoin('restriction', 'restriction.id', 'restrictionFingerprint.restrictionId')
    .selectAll('restriction')
    .distinct()
    .where('restrictionFingerprint.hash', 'in', [p('browser'), p('cookie'), p('address')])
    .where((eb) =>
      eb.or([eb('restrictionFingerprint.kind', '=', 'browser'), eb('restriction.at', '<=', p('enteredAt'))]),
    )
    .where(whereActive(p))
    .orderBy('restriction.id', 'desc'),
)
const anyGhostBan = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('restriction').select('id').where('userId', '=', p('userId')).where('kind', '=', 'ghostBan').limit(1),
)
/** Users who still have the flag of a ghost ban although all of theirs have ended. */
const endedGhosts = query<{ now: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select(['user.id', 'user.username'])
    .where('user.isGhost', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('restriction')
            .select('restriction.id')
            .whereRef('restriction.userId', '=', 'user.id')
            .where('restriction.kind', '=', 'ghostBan')
            .where(whereActive(p)),
        ),
      ),
    )
    .orderBy('user.id')
    .limit(p('limit')),
)

/** Restrictions as staff sees them. */
export const listedRestrictions = (db: Kysely<Tables>) =>
  db
    .selectFrom('restriction')
    .innerJoin('user', 'user.id', 'restriction.userId')
    .innerJoin('user as staff', 'staff.id', 'restriction.imposedById')
    .leftJoin('room', 'room.id', 'restriction.roomId')
    .select([
      'restriction.id',
      'restriction.kind',
      'restriction.userId',
      'user.username',
      'user.isGuest',
      'restriction.roomId',
      'room.name as roomName',
      'restriction.duration',
      'restriction.reason',
      'restriction.imposedById',
      'staff.username as imposedBy',
      'restriction.at',
      'restriction.endsAt',
      'restriction.sourceId',
    ])
const listedById = query<{ id: RestrictionId }>()((db, p) =>
  listedRestrictions(db).where('restriction.id', '=', p('id')),
)
const pageOfKind = query<{ kind: RestrictionKind; now: number; before: RestrictionId; limit: number }>()((db, p) =>
  listedRestrictions(db)
    .where('restriction.kind', '=', p('kind'))
    .where(whereActive(p))
    .where('restriction.id', '<', p('before'))
    .orderBy('restriction.id', 'desc')
    .limit(p('limit')),
)
const pageOfRoom = query<{
  kind: RestrictionKind
  roomId: RoomId
  now: number
  before: RestrictionId
  limit: number
}>()((db, p) =>
  listedRestrictions(db)
    .where('restriction.roomId', '=', p('roomId'))
    .where('restriction.kind', '=', p('kind'))
    .where(whereActive(p))
    .where('restriction.id', '<', p('before'))
    .orderBy('restriction.id', 'desc')
    .limit(p('limit')),
)

/** A restriction as staff sees it; `toBan`, `toRoomBan` and `toMute` give it the names of the protocol. */
export type ListedRestriction = Pick<
  Row,
  'id' | 'kind' | 'userId' | 'roomId' | 'duration' | 'reason' | 'imposedById' | 'at' | 'endsAt' | 'sourceId'
> & { username: string; isGuest: Flag; roomName: string | null; imposedBy: string }

/** The active restriction of an account; of a mute of the site and one of the room, that which ends last. */
export function getActiveRestriction(reader: Pick<Reader, 'get'>, { kind, userId, roomId = null }: Asked, now: number) {
  const activeIn = (place: RoomId | null) => {
    const row = reader.get(ofPlace, { kind, userId, roomId: place })
    return row && endOf(row) > now ? row : undefined
  }
  const here = activeIn(roomId)
  if (kind !== 'mute' || roomId === null) return here
  const onSite = activeIn(null)
  if (!here || !onSite) return here ?? onSite
  return endOf(onSite) >= endOf(here) ? onSite : here
}

function endOf({ endsAt }: Pick<Row, 'endsAt'>): number {
  return endsAt ?? Number.POSITIVE_INFINITY
}

/**
 * The refusal of an account that is restricted, else null: Banned, RoomBanned or Muted with the reason and the end. The only
 * decision on restrictions of accounts: those on a browser or an address extend to each guest and new member who uses it.
 */
export function findRestriction(reader: Pick<Reader, 'get'>, asked: Asked, now: number): Refusal | null {
  const row = getActiveRestriction(reader, asked, now)
  return row ? toRefusal(row) : null
}

/**
 * The refusal of a person who enters the site from a banned browser or address, else null. The only decision on both, made
 * at each sign-in, sign-up and hello. A banned address applies to guests and sign-ups; root admins are never refused.
 * @param role of the account; that of a guest at a sign-up
 */
export function findFingerprintBan(
  reader: Pick<Reader, 'all'>,
  { role, fingerprint, enteredAt }: { role: Role; fingerprint: Fingerprint; enteredAt: number },
  now: number,
): Refusal | null {
  if (role === 'rootadmin') return null
  const covered = role === 'guest' ? fingerprint : { ...fingerprint, addressHash: null }
  const all = listRestrictionsOfFingerprint(reader, covered, enteredAt, now)
  const ban = all.find(({ kind }) => kind === 'siteBan')
  return ban ? toRefusal(ban) : null
}

const refusalCodes = { siteBan: 'Banned', ghostBan: 'Banned', roomBan: 'RoomBanned', mute: 'Muted' } as const

function toRefusal(restriction: NoticeTerms & { kind: RestrictionKind }): Refusal {
  return refuse(refusalCodes[restriction.kind], { message: formatNotice(restriction) })
}

type NoticeTerms = Pick<Row, 'kind' | 'roomId' | 'reason' | 'endsAt'>

/** What the restricted user reads, in Turkish. */
export function formatNotice({ kind, roomId, reason, endsAt }: NoticeTerms): string {
  if (kind === 'mute') return formatMuteNotice({ roomId, reason, endsAt })
  const terms = { banReason: reason as StoredBanReason, endsAt } // mutes alone have another
  return kind === 'roomBan' ? formatRoomBanNotice(terms) : formatBanNotice(terms)
}

/** The active restrictions of an account of all kinds: those of the site first, then the latest first. */
export function listActiveRestrictions(reader: Pick<Reader, 'all'>, userId: UserId, now: number): Row[] {
  return reader.all(activeOfUser, { userId, now })
}

/** The active restrictions in this place of all users who have or had this name, compared by its folded form. */
export function listRestrictionsOfName(
  reader: Pick<Reader, 'all'>,
  name: string,
  { kinds, roomId }: { kinds: readonly RestrictionKind[]; roomId: RoomId | null },
  now: number,
): Row[] {
  const activeInPlace = roomId === null ? activeOfNameOnSite : activeOfNameInRoom
  return kinds.flatMap((kind) => reader.all(activeInPlace, { kind, roomId, foldedName: foldName(name), now }))
}

/** The active restrictions on this browser, or on this address for a session that began at `enteredAt`, the latest first. */
export function listRestrictionsOfFingerprint(
  reader: Pick<Reader, 'all'>,
  { browserHash, cookieHash, addressHash }: Fingerprint,
  enteredAt: number,
  now: number,
): Row[] {
  const hashes = { browser: browserHash ?? '', cookie: cookieHash ?? '', address: addressHash ?? '' }
  return reader.all(activeOfFingerprint, { ...hashes, enteredAt, now })
}

/** A restriction as staff sees it. Throws when there is none. */
export function getRestriction(reader: Pick<Reader, 'get'>, id: RestrictionId): ListedRestriction {
  const row = reader.get(listedById, { id })
  if (!row) throw new Error(`there is no restriction ${id}`)
  return row
}

/** A page of active restrictions of some kinds, of all places or of a room, the latest first; `next` is null at the end. */
export function listRestrictions(
  reader: Pick<Reader, 'all'>,
  { kinds, roomId }: { kinds: readonly RestrictionKind[]; roomId?: RoomId | undefined },
  now: number,
  before: RestrictionId = Number.MAX_SAFE_INTEGER,
): { items: ListedRestriction[]; next: RestrictionId | null } {
  const rows = kinds
    .map((kind) => ({ kind, now, before, limit: BANS_PER_PAGE + 1 }))
    .flatMap((page) =>
      roomId === undefined ? reader.all(pageOfKind, page) : reader.all(pageOfRoom, { ...page, roomId }),
    )
    .sort((one, other) => other.id - one.id)
  const items = rows.slice(0, BANS_PER_PAGE)
  return { items, next: rows.length > BANS_PER_PAGE ? (items.at(-1)?.id ?? null) : null }
}

/** Whether a user is or was ghost-banned, so that some of their messages may be hidden. */
export function hasBeenGhost(reader: Pick<Reader, 'get'>, userId: UserId): boolean {
  return reader.get(anyGhostBan, { userId }) !== undefined
}

/** Up to `limit` users whose ghost bans have all ended by the clock, and whose flag is still set. */
export function listEndedGhosts(reader: Pick<Reader, 'all'>, now: number, limit: number) {
  return reader.all(endedGhosts, { now, limit })
}

/** A site ban or a ghost ban as root admins get it. */
export function toBan({ kind, reason, imposedBy: bannedBy, ...row }: ListedRestriction): Ban {
  const banReason = reason as StoredBanReason // mutes alone have another
  return { ...toShown(row), kind: kind === 'ghostBan' ? 'ghost' : 'site', banReason, bannedBy }
}

/** A room ban as the staff of the room gets it. */
export function toRoomBan({ roomId, reason, imposedBy: bannedBy, ...row }: ListedRestriction): RoomBan {
  if (roomId === null) throw new Error(`the restriction ${row.id} has no room`)
  return { ...toShown(row), roomId, banReason: reason as BanReason, bannedBy } // mutes alone have another
}

/** A mute as root admins and the staff of its room get it. */
export function toMute({ roomId, roomName, reason, imposedBy: mutedBy, ...row }: ListedRestriction): Mute {
  return { ...toShown(row), roomId, roomName, reason, mutedBy }
}

/** A mute as the muted person gets it. */
export function toOwnMute({ roomId, reason, endsAt }: OwnMute): OwnMute {
  return { roomId, reason, endsAt }
}

type ShownFields = 'id' | 'userId' | 'username' | 'isGuest' | 'duration' | 'at' | 'endsAt'

function toShown({ id, userId, username, isGuest, duration, at, endsAt }: Pick<ListedRestriction, ShownFields>) {
  return { id, userId, username, isGuest: isGuest === 1, duration, at, endsAt }
}
