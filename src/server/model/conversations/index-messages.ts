import { sql } from 'kysely'
import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { extractWords } from '../../../shared/text/search-words.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { type SearchIndex, scopeTerm, searchIndexes, shardOf } from './search-index.ts'

/** Messages of one step, which takes the writer about 2.5 ms. */
export const INDEX_STEP_MESSAGES = 100

/** Words of one message in the index. A message of 2,000 characters has about 200 different ones, unless it is made to have more. */
const MAX_INDEXED_WORDS = 200

type Queries = ReturnType<typeof compileQueries>

function compileQueries(index: SearchIndex) {
  // The tables of both kinds have the columns that these queries use, the place under its own name.
  const progress = index.progress as 'messageIndex'
  const place = index.place as 'roomId'
  return {
    /** Messages up to this id are in the index. */
    progress: query()((db) => db.selectFrom(progress).select('indexedUpToId')),
    setProgress: query<{ indexedUpToId: MessageId }>()((db, p) =>
      db.updateTable(progress).set({ indexedUpToId: p('indexedUpToId') }),
    ),
    unindexed: query<{ indexedUpToId: MessageId; limit: number }>()((db, p) =>
      db
        .selectFrom(index.messages as 'message')
        .select(['id', `${place} as placeId`, 'content'])
        .where('id', '>', p('indexedUpToId'))
        .orderBy('id')
        .limit(p('limit')),
    ),
    insertWords: query<{ id: MessageId; words: string }>()((db, p) =>
      // Never a duplicate row: a changed message and one whose id is reused have been deleted from the index before.
      db
        .insertInto(index.words as 'messageWord')
        .values({ rowid: sql`cast(${p('id')} as integer)`, words: p('words') }),
    ),
  }
}

const roomQueries = compileQueries(searchIndexes.room)
const directQueries = compileQueries(searchIndexes.direct)

/**
 * Indexes the next messages for search. It is a separate command rather than part of sending, because FTS5 writes its
 * pending terms at every commit, and the cost per message falls with their number.
 */
export const indexMessages = defineCommand({
  name: 'indexMessages',
  keepResult: 'never',
  run(tx: Transaction): { more: boolean } {
    let limit = INDEX_STEP_MESSAGES
    for (const queries of [roomQueries, directQueries]) {
      const rows = tx.all(queries.unindexed, { indexedUpToId: indexedUpTo(tx, queries), limit })
      for (const row of rows) indexRow(tx, queries, row)
      const last = rows.at(-1)
      if (last) tx.run(queries.setProgress, { indexedUpToId: last.id })
      limit -= rows.length
    }
    return { more: limit === 0 }
  },
})

/** Indexes a room's message whose text has changed, which removed it from the index; later ones are left to `indexMessages`. */
export function reindexMessage(
  tx: Transaction,
  { id, roomId, content }: { id: MessageId; roomId: RoomId; content: string },
): void {
  if (id <= indexedUpTo(tx, roomQueries)) indexRow(tx, roomQueries, { id, placeId: roomId, content })
}

function indexedUpTo(tx: Transaction, { progress }: Queries): MessageId {
  return tx.get(progress)?.indexedUpToId ?? 0
}

/** Adds a message to the index, which does not have it. */
function indexRow(
  tx: Transaction,
  { insertWords }: Queries,
  { id, placeId, content }: { id: MessageId; placeId: number; content: string },
): void {
  const words = extractWords(content)
    .slice(0, MAX_INDEXED_WORDS)
    .map((word) => scopeTerm(placeId, shardOf(id), word))
  if (words.length) tx.run(insertWords, { id, words: words.join(' ') })
}
