import { sql } from 'kysely'
import type { Message } from '../../shared/room-chat/message.ts'
import { type Asked, askedFor } from '../../shared/text/words.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Viewer } from '../live/visibility.ts'
import { goneFrom, isGone } from '../moderation/queries.ts'
import { maySee, shownColumns, toMessage } from './queries.ts'
import { indexed, lowestIdOf, partOf } from './word-index.ts'

export interface SearchMessages {
  viewer: Viewer
  roomId: number
  text: string
  /** Only messages before this id. */
  before?: number | undefined
}

/** Messages that have all the words, newest first. `before` says where to go on; it is absent where nothing is left. */
export interface Found {
  messages: Message[]
  before?: number
}

/** How many messages one search brings. */
export const FOUND_PAGE = 20
/** So many short reads are made for one search: four million messages of the site are looked through. */
const MOST_READS = 64
/** A beginning that so few words have is asked for as those words, which the index goes through newest first. */
const MOST_TERMS = 4
/** Comes after every letter. */
const END = '\u{10FFFF}'

const firstOfRoom = query<{ roomId: number }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id').limit(1),
)
const lastOfRoom = query<{ roomId: number }>()((db, p) =>
  db.selectFrom('message').select('id').where('roomId', '=', p('roomId')).orderBy('id', 'desc').limit(1),
)

/** Words of the index that begin so. */
const termsFrom = query<{ from: string; to: string }>()((db, p) =>
  db
    .selectFrom('messageTerm')
    .select('term')
    .where('term', '>=', p('from'))
    .where('term', '<', p('to'))
    .limit(MOST_TERMS + 1),
)

const foundBefore = query<{ words: string; before: number }>()((db, p) =>
  db
    .selectFrom('messageWord')
    .innerJoin('message', 'message.id', 'messageWord.rowid')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(shownColumns)
    .where(sql<boolean>`"messageWord" match ${p('words')}`)
    // The index heeds a bound only when it is an integer, and what is bound from JavaScript is none.
    .where('messageWord.rowid', '<', sql<number>`cast(${p('before')} as integer)`)
    .orderBy('messageWord.rowid', 'desc')
    .limit(FOUND_PAGE + 1),
)

/** Finds messages of a room by their words, the last of them by its beginning. Runs in the reader's thread. */
export function searchMessages(reader: Reader, { viewer, roomId, text, before }: SearchMessages): Found {
  const asked = askedFor(text)
  const oldest = reader.get(firstOfRoom, { roomId })?.id
  const last = reader.get(lastOfRoom, { roomId })?.id
  if (!asked || oldest === undefined || last === undefined) return { messages: [] }
  const gone = goneFrom(reader, roomId)
  const first = Math.max(oldest, gone.upToId + 1)
  const found: Parameters<typeof toMessage>[2][] = []
  let below = Math.min(before ?? Number.POSITIVE_INFINITY, last + 1)
  for (let reads = 0; below > first && found.length <= FOUND_PAGE && reads < MOST_READS; reads++) {
    const part = partOf(below - 1)
    const words = asking(reader, asked, (word) => indexed(roomId, part, word))
    const rows = words === null ? [] : reader.all(foundBefore, { words, before: below })
    below = rows[FOUND_PAGE]?.id ?? lowestIdOf(part)
    found.push(...rows.filter((row) => maySee(viewer, row) && !isGone(gone, row)))
  }
  const messages = found.slice(0, FOUND_PAGE).map((row) => toMessage(reader, viewer, row))
  if (found.length > FOUND_PAGE) return { messages, before: messages.at(-1)?.id ?? below }
  return below > first ? { messages, before: below } : { messages }
}

/** In the language of FTS5: every word in quotation marks, which no word has in it. null where no word begins so. */
function asking(reader: Reader, { words, beginning }: Asked, indexed: (word: string) => string): string | null {
  const whole = words.map((word) => `"${indexed(word)}"`)
  if (beginning === null) return whole.join(' ')
  const from = indexed(beginning)
  const terms = reader.all(termsFrom, { from, to: from + END }).map(({ term }) => `"${term}"`)
  if (terms.length === 0) return null
  const last = terms.length > MOST_TERMS ? `"${from}"*` : `(${terms.join(' OR ')})`
  return [...whole, last].join(' AND ')
}
