import { sql } from 'kysely'
import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { extractWords } from '../../../shared/text/search-words.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { scopeTerm, shardOf } from './search-shards.ts'

/** Messages of one step, which takes the writer about 2.5 ms. */
export const INDEX_STEP_MESSAGES = 100

/** Words of one message in the index. A message of 2,000 characters has about 200 different ones, unless it is made to have more. */
const MAX_INDEXED_WORDS = 200

/** Messages up to this id are in the index. */
export const indexProgress = query()((db) => db.selectFrom('messageIndex').select('indexedUpToId'))
const setIndexProgress = query<{ indexedUpToId: MessageId }>()((db, p) =>
  db.updateTable('messageIndex').set({ indexedUpToId: p('indexedUpToId') }),
)
const unindexedMessages = query<{ indexedUpToId: MessageId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'roomId', 'content'])
    .where('id', '>', p('indexedUpToId'))
    .orderBy('id')
    .limit(INDEX_STEP_MESSAGES),
)
const insertWords = query<{ id: MessageId; words: string }>()((db, p) =>
  // Never a duplicate row: a changed message and one whose id is reused have been deleted from the index before.
  db.insertInto('messageWord').values({ rowid: sql`cast(${p('id')} as integer)`, words: p('words') }),
)

/**
 * Indexes the next messages for search. It is a separate command rather than part of `sendMessage`, because FTS5
 * writes its pending terms at every commit, and the cost per message falls with their number.
 */
export const indexMessages = defineCommand({
  name: 'indexMessages',
  keepResult: 'never',
  run(tx: Transaction): { more: boolean } {
    const rows = tx.all(unindexedMessages, { indexedUpToId: tx.get(indexProgress)?.indexedUpToId ?? 0 })
    for (const row of rows) indexRow(tx, row)
    const last = rows.at(-1)
    if (last) tx.run(setIndexProgress, { indexedUpToId: last.id })
    return { more: rows.length === INDEX_STEP_MESSAGES }
  },
})

/** Adds a message to the index, which does not have it. */
export function indexRow(
  tx: Transaction,
  { id, roomId, content }: { id: MessageId; roomId: RoomId; content: string },
): void {
  const words = extractWords(content)
    .slice(0, MAX_INDEXED_WORDS)
    .map((word) => scopeTerm(roomId, shardOf(id), word))
  if (words.length) tx.run(insertWords, { id, words: words.join(' ') })
}
