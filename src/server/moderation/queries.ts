import { sql } from 'kysely'
import { BANS_PER_PAGE, type Ban } from '../../shared/moderation/protocol.ts'
import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'

/** Hashes by which a guest is known again; null where there is nothing to know them by. */
export interface GuestFingerprint {
  browserHash: string | null
  addressHash: string | null
}

/** A ban that holds now is one that nobody has lifted and whose time is not over: the site's clock ends it. */
const whereBanIsActive = <T extends { now: number }>(p: <K extends keyof T & string>(name: K) => T[K]) =>
  sql<boolean>`ban.liftedAt is null and (ban.endsAt is null or ban.endsAt > ${p('now')})`

const activeBanOfUser = query<{ userId: UserId; now: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .selectAll()
    .where('ban.userId', '=', p('userId'))
    .where(whereBanIsActive(p))
    .orderBy('ban.id', 'desc')
    .limit(1),
)
const activeBanOfFingerprint = query<{ browser: string; address: string; enteredAt: number; now: number }>()((db, p) =>
  db
    .selectFrom('banFingerprint')
    .innerJoin('ban', 'ban.id', 'banFingerprint.banId')
    .selectAll('ban')
    .where('banFingerprint.hash', 'in', [p('browser'), p('address')])
    .where('ban.at', '<=', p('enteredAt'))
    .where(whereBanIsActive(p))
    .orderBy('ban.id', 'desc')
    .limit(1),
)
const activeBansByFoldedName = query<{ foldedName: string; now: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .select(['ban.id', 'ban.userId', 'user.username'])
    .where('user.foldedName', '=', p('foldedName'))
    .where(whereBanIsActive(p)),
)
const activeBansPage = query<{ now: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .innerJoin('user as admin', 'admin.id', 'ban.bannedById')
    .select([
      'ban.id',
      'ban.userId',
      'user.username',
      'user.isGuest',
      'ban.duration',
      'ban.reason',
      'admin.username as bannedBy',
      'ban.at',
      'ban.endsAt',
    ])
    .where(whereBanIsActive(p))
    .where('ban.id', '<', p('before'))
    .orderBy('ban.id', 'desc')
    .limit(p('limit')),
)
/** Through which browser and address a guest came last. */
export const fingerprintOfGuest = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('guestFingerprint').selectAll().where('userId', '=', p('userId')),
)
const roomRemoval = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('removal')
    .select((eb) => eb.fn.max<number | null>('upToId').as('upToId'))
    .where('roomId', '=', p('roomId')),
)
const senderRemovals = query()((db) =>
  db
    .selectFrom('removal')
    .select(['senderId', (eb) => eb.fn.max<number>('upToId').as('upToId')])
    .where('senderId', 'is not', null)
    .groupBy('senderId'),
)
/** The condition that a message, found by its id, waits for no deletion. */
export const notRemoved = sql<boolean>`not exists (
  select 1 from removal
  where removal.upToId >= message.id and (removal.roomId = message.roomId or removal.senderId = message.senderId)
)`

const siteState = query()((db) => db.selectFrom('siteState').select('maintenanceSince'))

/** The ban that holds for this account now. */
export function getActiveBan(reader: Pick<Reader, 'get'>, userId: UserId, now: number) {
  return reader.get(activeBanOfUser, { userId, now })
}

/**
 * The ban that holds for a guest who entered from this browser and address. It holds for those who entered after it:
 * households and networks share an address, and whoever was there is not whom it is meant for.
 */
export function getActiveBanOfFingerprint(
  reader: Pick<Reader, 'get'>,
  { browserHash, addressHash }: GuestFingerprint,
  enteredAt: number,
  now: number,
) {
  return reader.get(activeBanOfFingerprint, { browser: browserHash ?? '', address: addressHash ?? '', enteredAt, now })
}

/** The bans that hold now for whoever has or had this name, letters folded. */
export function listActiveBansOfName(reader: Pick<Reader, 'all'>, name: string, now: number) {
  return reader.all(activeBansByFoldedName, { foldedName: foldName(name), now })
}

/** Bans that hold now, the latest first; `next` is null at the end. */
export function listActiveBans(
  reader: Pick<Reader, 'all'>,
  now: number,
  before: number = Number.MAX_SAFE_INTEGER,
): { bannedUsers: Ban[]; next: number | null } {
  const rows = reader.all(activeBansPage, { now, before, limit: BANS_PER_PAGE + 1 })
  const bannedUsers = rows
    .slice(0, BANS_PER_PAGE)
    .map(({ isGuest, reason, ...row }): Ban => ({ ...row, isGuest: isGuest === 1, banReason: reason }))
  return { bannedUsers, next: rows.length > BANS_PER_PAGE ? (bannedUsers.at(-1)?.id ?? null) : null }
}

/** What is gone from a room, though it may still have to be deleted. */
export interface RemovedRanges {
  /** Everything up to this id. */
  roomUpToId: MessageId
  /** Of a sender, everything up to this id. */
  upToIdBySender: ReadonlyMap<UserId | null, MessageId>
}

/** Where nothing waits to be deleted, which is nearly always, everything above id 0 is there. */
export function getRemovedRanges(reader: Pick<Reader, 'all' | 'get'>, roomId: RoomId): RemovedRanges {
  const senders = reader.all(senderRemovals).map(({ senderId, upToId }) => [senderId, upToId] as const)
  return { roomUpToId: reader.get(roomRemoval, { roomId })?.upToId ?? 0, upToIdBySender: new Map(senders) }
}

/** Whether a message of that room is gone. */
export function isRemoved(
  { roomUpToId, upToIdBySender }: RemovedRanges,
  { id, senderId }: { id: MessageId; senderId: UserId },
): boolean {
  return id <= roomUpToId || id <= (upToIdBySender.get(senderId) ?? 0)
}

/** Since when the site is under maintenance, in epoch milliseconds; null while it is not. */
export function getMaintenanceSince(reader: Pick<Reader, 'get'>): number | null {
  return reader.get(siteState)?.maintenanceSince ?? null
}
