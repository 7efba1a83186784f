import { sql } from 'kysely'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { parseSearchQuery, type SearchQuery } from '../../shared/text/search-words.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Viewer } from '../live/visibility.ts'
import { getRemovedRanges, isRemoved } from '../moderation/queries.ts'
import { canSeeMessage, messageColumns, toMessage } from './queries.ts'
import { firstIdOfShard, scopeTerm, shardOf } from './search-shards.ts'

export interface SearchMessages {
  viewer: Viewer
  roomId: RoomId
  text: string
  /** Only messages before this id. */
  before?: number | undefined
}

/** Messages that have all the words, newest first. `before` says where to go on; it is absent where nothing is left. */
export interface SearchPage {
  messages: Message[]
  before?: number
}

/** How many messages one search brings. */
export const SEARCH_PAGE_SIZE = 20
/** So many short reads are made for one search: four million messages of the site are looked through. */
const MAX_SEARCH_READS = 64
/** A beginning that so few words have is asked for as those words, which the index goes through newest first. */
const MAX_PREFIX_TERMS = 4
/** Comes after every letter. */
const PREFIX_RANGE_END = '\u{10FFFF}'

const oldestMessageId = query<{ roomId: RoomId }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id').limit(1),
)
const newestMessageId = query<{ roomId: RoomId }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id', 'desc').limit(1),
)

/** Words of the index that begin so. */
const termsWithPrefix = query<{ from: string; to: string }>()((db, p) =>
  db
    .selectFrom('messageTerm')
    .select('term')
    .where('term', '>=', p('from'))
    .where('term', '<', p('to'))
    .limit(MAX_PREFIX_TERMS + 1),
)

const matchesBefore = query<{ words: string; before: number }>()((db, p) =>
  db
    .selectFrom('messageWord')
    .innerJoin('message', 'message.id', 'messageWord.rowid')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(messageColumns)
    .where(sql<boolean>`"messageWord" match ${p('words')}`)
    // The index heeds a bound only when it is an integer, and what is bound from JavaScript is none.
    .where('messageWord.rowid', '<', sql<number>`cast(${p('before')} as integer)`)
    .orderBy('messageWord.rowid', 'desc')
    .limit(SEARCH_PAGE_SIZE + 1),
)

/** Finds messages of a room by their words, the last of them by its beginning. Runs in the reader's thread. */
export function searchMessages(reader: Reader, { viewer, roomId, text, before }: SearchMessages): SearchPage {
  const asked = parseSearchQuery(text)
  const oldest = reader.get(oldestMessageId, { roomId })?.id
  const last = reader.get(newestMessageId, { roomId })?.id
  if (!asked || oldest === undefined || last === undefined) return { messages: [] }
  const gone = getRemovedRanges(reader, roomId)
  const first = Math.max(oldest, gone.roomUpToId + 1)
  const found: Parameters<typeof toMessage>[2][] = []
  let below = Math.min(before ?? Number.POSITIVE_INFINITY, last + 1)
  for (let reads = 0; below > first && found.length <= SEARCH_PAGE_SIZE && reads < MAX_SEARCH_READS; reads++) {
    const part = shardOf(below - 1)
    const words = toMatchExpression(reader, asked, (word) => scopeTerm(roomId, part, word))
    const rows = words === null ? [] : reader.all(matchesBefore, { words, before: below })
    below = rows[SEARCH_PAGE_SIZE]?.id ?? firstIdOfShard(part)
    found.push(...rows.filter((row) => canSeeMessage(viewer, row) && !isRemoved(gone, row)))
  }
  const messages = found.slice(0, SEARCH_PAGE_SIZE).map((row) => toMessage(reader, viewer, row))
  if (found.length > SEARCH_PAGE_SIZE) return { messages, before: messages.at(-1)?.id ?? below }
  return below > first ? { messages, before: below } : { messages }
}

/** In the language of FTS5: every word in quotation marks, which no word has in it. null where no word begins so. */
function toMatchExpression(
  reader: Reader,
  { words, prefix }: SearchQuery,
  indexed: (word: string) => string,
): string | null {
  const whole = words.map((word) => `"${indexed(word)}"`)
  if (prefix === null) return whole.join(' ')
  const from = indexed(prefix)
  const terms = reader.all(termsWithPrefix, { from, to: from + PREFIX_RANGE_END }).map(({ term }) => `"${term}"`)
  if (terms.length === 0) return null
  const last = terms.length > MAX_PREFIX_TERMS ? `"${from}"*` : `(${terms.join(' OR ')})`
  return [...whole, last].join(' AND ')
}
