import { sql } from 'kysely'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { parseSearchQuery, type SearchQuery } from '../../../shared/text/search-words.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { canSeeMessage, messageColumns } from '../../model/conversations/message-table.ts'
import { toMessage } from '../../model/conversations/room-messages.ts'
import { firstIdOfShard, scopeTerm, shardOf } from '../../model/conversations/search-shards.ts'
import { getRemovedRanges, isRemoved } from '../../model/message-removal/queries.ts'
import { query } from '../../model/schema/query.ts'

export interface SearchMessages {
  viewer: Viewer
  roomId: RoomId
  text: string
  /** Only messages before this id. */
  before?: number | undefined
}

/** Messages that contain all words, newest first. `before` is the cursor of the next page; absent at the end. */
export interface SearchPage {
  messages: Message[]
  before?: number
}

/** Messages per page of a search. */
export const SEARCH_PAGE_SIZE = 20
/** Limit on reads, one per shard, in one search: 64 shards are about four million message ids. */
const MAX_SEARCH_READS = 64
/** After this time a search returns what it has found; the next page goes on from there. */
export const SEARCH_BUDGET_MS = 100
/** A room with more messages than this is big. */
export const BIG_ROOM_MESSAGES = 5_000
/** In a big room a shorter last word matches whole: FTS5 collects all messages of a prefix before it returns the first. */
const MIN_PREFIX_LENGTH_IN_BIG_ROOM = 3
/** A prefix with at most this many terms is searched as those terms, which FTS5 reads newest first. */
const MAX_PREFIX_TERMS = 4
/** Sorts after every letter. */
const PREFIX_RANGE_END = '\u{10FFFF}'

const oldestMessageId = query<{ roomId: RoomId }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id').limit(1),
)
const newestMessageId = query<{ roomId: RoomId }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id', 'desc').limit(1),
)

const newestMessageBehind = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1)
    .offset(BIG_ROOM_MESSAGES),
)

/** Terms of the index in a range, for the terms of a prefix. */
const termsWithPrefix = query<{ from: string; to: string }>()((db, p) =>
  db
    .selectFrom('messageTerm')
    .select('term')
    .where('term', '>=', p('from'))
    .where('term', '<', p('to'))
    .limit(MAX_PREFIX_TERMS + 1),
)

type MatchesOfViewer = { words: string; before: number } & VisibilityParams

const matchesBefore = query<MatchesOfViewer>()((db, p) =>
  db
    .selectFrom('messageWord')
    .innerJoin('message', 'message.id', 'messageWord.rowid')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select([...messageColumns, 'message.roomId'])
    .where(sql<boolean>`"messageWord" match ${p('words')}`)
    // FTS5 uses a bound on rowid only if it is an integer, and a number bound from JavaScript is a float.
    .where('messageWord.rowid', '<', sql<number>`cast(${p('before')} as integer)`)
    .where(visibleTo(p, 'message.senderId'))
    .orderBy('messageWord.rowid', 'desc')
    .limit(SEARCH_PAGE_SIZE + 1),
)

/**
 * Finds messages of a room that contain all words of `text`; its last word matches as a prefix. Runs in the read worker.
 * Returns an empty page for a query that is too short, and what was found so far after `SEARCH_BUDGET_MS`.
 * @param now milliseconds of a monotonic clock
 */
export function searchMessages(
  reader: Reader,
  { viewer, roomId, text, before }: SearchMessages,
  now = () => performance.now(),
): SearchPage {
  const deadlineMs = now() + SEARCH_BUDGET_MS
  const searchQuery = parseInRoom(reader, roomId, text)
  const oldest = reader.get(oldestMessageId, { roomId })?.id
  const newest = reader.get(newestMessageId, { roomId })?.id
  if (!searchQuery || oldest === undefined || newest === undefined) return { messages: [] }
  const removed = getRemovedRanges(reader, roomId)
  const first = Math.max(oldest, removed.roomUpToId + 1)
  const found: Parameters<typeof toMessage>[2][] = []
  let below = Math.min(before ?? Number.POSITIVE_INFINITY, newest + 1)
  for (let reads = 0; below > first && found.length <= SEARCH_PAGE_SIZE && reads < MAX_SEARCH_READS; reads++) {
    if (reads > 0 && now() >= deadlineMs) break
    const shard = shardOf(below - 1)
    const words = toMatchExpression(reader, searchQuery, (word) => scopeTerm(roomId, shard, word))
    const rows = words === null ? [] : reader.all(matchesBefore, { words, before: below, ...visibilityOf(viewer) })
    below = rows[SEARCH_PAGE_SIZE]?.id ?? firstIdOfShard(shard)
    found.push(...rows.filter((row) => canSeeMessage(viewer, row) && !isRemoved(removed, row)))
  }
  const messages = found.slice(0, SEARCH_PAGE_SIZE).map((row) => toMessage(reader, viewer, row))
  if (found.length > SEARCH_PAGE_SIZE) return { messages, before: messages.at(-1)?.id ?? below }
  return below > first ? { messages, before: below } : { messages }
}

/** The search that the text makes in this room. */
function parseInRoom(reader: Reader, roomId: RoomId, text: string): SearchQuery | null {
  const parsed = parseSearchQuery(text)
  if (!parsed || parsed.prefix === null || [...parsed.prefix].length >= MIN_PREFIX_LENGTH_IN_BIG_ROOM) return parsed
  const isBigRoom = reader.get(newestMessageBehind, { roomId }) !== undefined
  return isBigRoom ? { words: [...parsed.words, parsed.prefix], prefix: null } : parsed
}

/** An FTS5 query: every term in quotation marks, which no term contains. null if no term has the prefix. */
function toMatchExpression(
  reader: Reader,
  { words, prefix }: SearchQuery,
  toTerm: (word: string) => string,
): string | null {
  const whole = words.map((word) => `"${toTerm(word)}"`)
  if (prefix === null) return whole.join(' ')
  const from = toTerm(prefix)
  const terms = reader.all(termsWithPrefix, { from, to: from + PREFIX_RANGE_END }).map(({ term }) => `"${term}"`)
  if (terms.length === 0) return null
  const last = terms.length > MAX_PREFIX_TERMS ? `"${from}"*` : `(${terms.join(' OR ')})`
  return [...whole, last].join(' AND ')
}
