import { type Selectable, sql } from 'kysely'
import type { FilterEntryId, FilterHitId, HeldTextId, UserId } from '../../../shared/protocol/ids.ts'
import { HELD_TEXT_RETENTION_MS, ROWS_PER_PAGE } from '../../../shared/text-filters/limits.ts'
import type { FilterEntry, FilterHit, HeldText, LinkRuleSetting } from '../../../shared/text-filters/protocol.ts'
import { patternKey } from '../../../shared/text-filters/word-matcher.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { toUserSummary, userById } from '../accounts/queries.ts'
import { query, type Tables } from '../schema/query.ts'
import { showPlace } from './show-place.ts'

export type FilterStateRow = Selectable<Tables['textFilter']>
export type HeldTextRow = Selectable<Tables['heldText']>
type EntryRow = Selectable<Tables['filterEntry']>
type HitRow = Selectable<Tables['filterHit']>

/** The rule of links, and which state the entries are in. */
export const filterState = query()((db) => db.selectFrom('textFilter').selectAll())
export const filterEntryById = query<{ id: FilterEntryId }>()((db, p) =>
  db.selectFrom('filterEntry').selectAll().where('id', '=', p('id')),
)
export const filterEntryByKey = query<{ patternKey: string }>()((db, p) =>
  db.selectFrom('filterEntry').selectAll().where('patternKey', '=', p('patternKey')),
)
export const allFilterEntries = query()((db) => db.selectFrom('filterEntry').selectAll())
const entriesPage = query<{ before: number; part: string; limit: number }>()((db, p) =>
  db
    .selectFrom('filterEntry')
    .selectAll()
    .where('id', '<', p('before'))
    .where(sql<boolean>`instr(lower(patternKey), ${p('part')}) > 0`)
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const hitsPage = query<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('filterHit').selectAll().where('id', '<', p('before')).orderBy('id', 'desc').limit(p('limit')),
)
const heldTextsPage = query<{ after: number; limit: number }>()((db, p) =>
  db.selectFrom('heldText').selectAll().where('id', '>', p('after')).orderBy('id').limit(p('limit')),
)
export const heldTextById = query<{ id: HeldTextId }>()((db, p) =>
  db.selectFrom('heldText').selectAll().where('id', '=', p('id')),
)
export const heldTextsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('heldText').selectAll().where('userId', '=', p('userId')),
)
const heldTextsOfAddress = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('heldText')
    .innerJoin('user as author', 'author.id', 'heldText.userId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('author.isGuest', '=', 1)
    .where(({ eb, selectFrom }) =>
      eb(
        'heldText.userId',
        'in',
        selectFrom('accountMark as own')
          .innerJoin('user', 'user.id', 'own.userId')
          .innerJoin('accountMark as other', 'other.hash', 'own.hash')
          .select('other.userId')
          .where('own.userId', '=', p('userId'))
          .where('own.kind', '=', 'address')
          .where('user.isGuest', '=', 1),
      ),
    ),
)
const heldTextTotal = query()((db) => db.selectFrom('heldText').select((eb) => eb.fn.countAll<number>().as('count')))

export function countHeldTexts(reader: Pick<Reader, 'get'>): number {
  return reader.get(heldTextTotal)?.count ?? 0
}

/** How many texts of guests with an address of this guest wait; 0 for a member, and where the address is unknown. */
export function countHeldTextsOfAddress(reader: Pick<Reader, 'get'>, userId: UserId): number {
  return reader.get(heldTextsOfAddress, { userId })?.count ?? 0
}

export function toFilterEntry({ patternKey: _, exceptions, ...row }: EntryRow): FilterEntry {
  return { ...row, exceptions: JSON.parse(exceptions) as string[] } // the column has what the schema let through
}

/** A page of the entries whose folded pattern contains the folded search, the latest first. */
export function listFilterEntries(
  reader: Pick<Reader, 'get' | 'all'>,
  { before = Number.MAX_SAFE_INTEGER, search }: { before?: FilterEntryId | undefined; search: string },
): { entries: FilterEntry[]; next: FilterEntryId | null; total: number } {
  const rows = reader.all(entriesPage, { before, part: patternKey(search).toLowerCase(), limit: ROWS_PER_PAGE + 1 })
  const { items, next } = cutPage(rows)
  return { entries: items.map(toFilterEntry), next, total: reader.get(filterState)?.entryCount ?? 0 }
}

/** A page of what the filter matched, the latest first. */
export function listFilterHits(
  reader: Reader,
  before: FilterHitId = Number.MAX_SAFE_INTEGER,
  now: number,
): { hits: FilterHit[]; next: FilterHitId | null } {
  const { items, next } = cutPage(reader.all(hitsPage, { before, limit: ROWS_PER_PAGE + 1 }))
  return { hits: items.map((row) => toFilterHit(reader, row, now)), next }
}

/** A page of the texts that wait for review, the earliest first. */
export function listHeldTexts(
  reader: Reader,
  after: HeldTextId = 0,
  now: number,
): { heldTexts: HeldText[]; next: HeldTextId | null; total: number } {
  const { items, next } = cutPage(reader.all(heldTextsPage, { after, limit: ROWS_PER_PAGE + 1 }))
  return { heldTexts: items.map((row) => toHeldText(reader, row, now)), next, total: countHeldTexts(reader) }
}

/** The rule of links as root admins set it. */
export function toLinkRuleSetting({ linkMinDays, guestsMayLink, allowedHosts }: FilterStateRow): LinkRuleSetting {
  return { minDays: linkMinDays, guestsMayLink: guestsMayLink === 1, allowedHosts: parseHosts(allowedHosts) }
}

export function parseHosts(hosts: string): string[] {
  return JSON.parse(hosts) as string[] // the column has what the schema let through
}

function toFilterHit(reader: Reader, row: HitRow, now: number): FilterHit {
  const { id, pattern, word, excerpt, action, at } = row
  return { id, ...shownSubject(reader, row, now), pattern, word, excerpt, action, at }
}

function toHeldText(reader: Reader, row: HeldTextRow, now: number): HeldText {
  const { id, pattern, word, text, mediaId, at, placeKind } = row
  return {
    id,
    ...shownSubject(reader, row, now),
    pattern,
    word,
    text: placeKind === 'direct' ? null : text,
    hasFile: mediaId !== null,
    at,
    expiresAt: at + HELD_TEXT_RETENTION_MS,
  }
}

/** Who wrote a text, and where. */
function shownSubject(reader: Reader, row: Parameters<typeof showPlace>[1] & { userId: UserId }, now: number) {
  const user = reader.get(userById, { id: row.userId })
  if (!user) throw new Error(`user ${row.userId} of a filtered text does not exist`)
  return { user: toUserSummary(user, now), place: showPlace(reader, row) }
}

function cutPage<T extends { id: number }>(rows: readonly T[]): { items: T[]; next: number | null } {
  const items = rows.slice(0, ROWS_PER_PAGE)
  return { items, next: rows.length > ROWS_PER_PAGE ? (items.at(-1)?.id ?? null) : null }
}
