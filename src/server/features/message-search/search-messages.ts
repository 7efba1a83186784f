import { sql } from 'kysely'
import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { parseSearchQuery, type SearchQuery } from '../../../shared/text/search-words.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { findOwnView } from '../../model/conversations/direct-messages.ts'
import { canSeeMessage, type MessageRow, messageColumns } from '../../model/conversations/message-table.ts'
import { toMessage } from '../../model/conversations/room-messages.ts'
import {
  firstIdOfShard,
  type SearchIndex,
  scopeTerm,
  searchIndexes,
  shardOf,
} from '../../model/conversations/search-index.ts'
import { getRemovedRanges, isRemoved } from '../../model/message-removal/queries.ts'
import { getParticipants } from '../../model/relations/access.ts'
import { query } from '../../model/schema/query.ts'

interface SearchInput {
  text: string
  /** Only messages before this id. */
  before?: number | undefined
}

export interface SearchMessages extends SearchInput {
  viewer: Viewer
  roomId: RoomId
}

export interface SearchDirectMessages extends SearchInput {
  ownId: UserId
  otherId: UserId
}

/** Messages that contain all words, newest first. `before` is the cursor of the next page; absent at the end. */
export interface SearchPage<M> {
  messages: M[]
  before?: number
}

/** Messages per page of a search. */
export const SEARCH_PAGE_SIZE = 20
/** Limit on reads, one per shard, in one search: 64 shards are about four million message ids. */
const MAX_SEARCH_READS = 64
/** After this time a search returns what it has found; the next page goes on from there. */
export const SEARCH_BUDGET_MS = 100
/** A room or conversation with more messages than this is big. */
export const BIG_ROOM_MESSAGES = 5_000
/** In a big one a shorter last word matches whole: FTS5 collects all messages of a prefix before it returns the first. */
const MIN_PREFIX_LENGTH_IN_BIG_ROOM = 3
/** A prefix with at most this many terms is searched as those terms, which FTS5 reads newest first. */
const MAX_PREFIX_TERMS = 4
/** Sorts after every letter. */
const PREFIX_RANGE_END = '\u{10FFFF}'

type Queries = ReturnType<typeof compileQueries>

function compileQueries(index: SearchIndex) {
  // The tables of both kinds have the columns that these queries use, the place under its own name.
  const words = index.words as 'messageWord'
  const source = `${index.messages as 'message'} as message` as const
  const place = `message.${index.place as 'roomId'}` as const
  const messagesOf = (direction: 'asc' | 'desc', offset: number) =>
    query<{ placeId: number }>()((db, p) =>
      db
        .selectFrom(source)
        .select('message.id')
        .where(place, '=', p('placeId'))
        .orderBy('message.id', direction)
        .limit(1)
        .offset(offset),
    )
  return {
    oldest: messagesOf('asc', 0),
    newest: messagesOf('desc', 0),
    newestBehind: messagesOf('desc', BIG_ROOM_MESSAGES),
    /** Terms of the index in a range, for the terms of a prefix. */
    termsInRange: query<{ from: string; to: string }>()((db, p) =>
      db
        .selectFrom(index.terms as 'messageTerm')
        .select('term')
        .where('term', '>=', p('from'))
        .where('term', '<', p('to'))
        .limit(MAX_PREFIX_TERMS + 1),
    ),
    matchesBefore: query<{ words: string; before: number } & VisibilityParams>()((db, p) =>
      db
        .selectFrom(words)
        .innerJoin(source, 'message.id', `${words}.rowid`)
        .innerJoin('user', 'user.id', 'message.senderId')
        .select([...messageColumns, place])
        .where(sql<boolean>`${sql.ref(words)} match ${p('words')}`)
        // FTS5 uses a bound on rowid only if it is an integer, and a number bound from JavaScript is a float.
        .where(`${words}.rowid`, '<', sql<number>`cast(${p('before')} as integer)`)
        .where(visibleTo(p, 'message.senderId'))
        .orderBy(`${words}.rowid`, 'desc')
        .limit(SEARCH_PAGE_SIZE + 1),
    ),
  }
}

const roomQueries = compileQueries(searchIndexes.room)
const directQueries = compileQueries(searchIndexes.direct)

/**
 * Finds messages of a room that contain all words of `text`; its last word matches as a prefix. Runs in the read worker.
 * Returns an empty page for a query that is too short, and what was found so far after `SEARCH_BUDGET_MS`.
 * @param now milliseconds of a monotonic clock
 */
export function searchMessages(
  reader: Reader,
  { viewer, roomId, ...input }: SearchMessages,
  now = () => performance.now(),
): SearchPage<Message> {
  const removed = getRemovedRanges(reader, roomId)
  const place = { viewer, placeId: roomId, above: removed.roomUpToId, ...input }
  const { rows, ...page } = search(reader, roomQueries, place, (row) => !isRemoved(removed, row), now)
  return { messages: rows.map((row) => toMessage(reader, viewer, row)), ...page }
}

/** The same in the conversation of two users, as one of them sees it. */
export function searchDirectMessages(
  reader: Reader,
  { ownId, otherId, ...input }: SearchDirectMessages,
): SearchPage<DirectMessage> {
  const participants = getParticipants(reader, ownId, otherId)
  const view = participants && findOwnView(reader, participants)
  if (!view) return { messages: [] }
  const { show, ...place } = view
  const { rows, ...page } = search(
    reader,
    directQueries,
    { ...place, ...input },
    () => true,
    () => performance.now(),
  )
  return { messages: rows.map((row) => show({ ...row, conversationId: place.placeId })), ...page }
}

function search(
  reader: Reader,
  queries: Queries,
  { viewer, placeId, above, text, before }: SearchInput & { viewer: Viewer; placeId: number; above: MessageId },
  isKept: (row: MessageRow<'roomId'>) => boolean,
  now: () => number,
): { rows: MessageRow<'roomId'>[]; before?: number } {
  const deadlineMs = now() + SEARCH_BUDGET_MS
  const searchQuery = parseInPlace(reader, queries, placeId, text)
  const oldest = reader.get(queries.oldest, { placeId })?.id
  const newest = reader.get(queries.newest, { placeId })?.id
  if (!searchQuery || oldest === undefined || newest === undefined) return { rows: [] }
  const first = Math.max(oldest, above + 1)
  const found: MessageRow<'roomId'>[] = []
  let below = Math.min(before ?? Number.POSITIVE_INFINITY, newest + 1)
  for (let reads = 0; below > first && found.length <= SEARCH_PAGE_SIZE && reads < MAX_SEARCH_READS; reads++) {
    if (reads > 0 && now() >= deadlineMs) break
    const shard = shardOf(below - 1)
    const words = toMatchExpression(reader, queries, searchQuery, (word) => scopeTerm(placeId, shard, word))
    const matches = { words: words ?? '', before: below, ...visibilityOf(viewer) }
    const rows = words === null ? [] : reader.all(queries.matchesBefore, matches)
    below = rows[SEARCH_PAGE_SIZE]?.id ?? firstIdOfShard(shard)
    found.push(...rows.filter((row) => row.id > above && canSeeMessage(viewer, row) && isKept(row)))
  }
  const rows = found.slice(0, SEARCH_PAGE_SIZE)
  if (found.length > SEARCH_PAGE_SIZE) return { rows, before: rows.at(-1)?.id ?? below }
  return below > first ? { rows, before: below } : { rows }
}

/** The search that the text makes in this room or conversation. */
function parseInPlace(reader: Reader, queries: Queries, placeId: number, text: string): SearchQuery | null {
  const parsed = parseSearchQuery(text)
  if (!parsed || parsed.prefix === null || [...parsed.prefix].length >= MIN_PREFIX_LENGTH_IN_BIG_ROOM) return parsed
  const isBig = reader.get(queries.newestBehind, { placeId }) !== undefined
  return isBig ? { words: [...parsed.words, parsed.prefix], prefix: null } : parsed
}

/** An FTS5 query: every term in quotation marks, which no term contains. null if no term has the prefix. */
function toMatchExpression(
  reader: Reader,
  queries: Queries,
  { words, prefix }: SearchQuery,
  toTerm: (word: string) => string,
): string | null {
  const whole = words.map((word) => `"${toTerm(word)}"`)
  if (prefix === null) return whole.join(' ')
  const from = toTerm(prefix)
  const terms = reader.all(queries.termsInRange, { from, to: from + PREFIX_RANGE_END }).map(({ term }) => `"${term}"`)
  if (terms.length === 0) return null
  const last = terms.length > MAX_PREFIX_TERMS ? `"${from}"*` : `(${terms.join(' OR ')})`
  return [...whole, last].join(' AND ')
}
