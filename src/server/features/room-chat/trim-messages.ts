import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { deleteMessages } from '../../model/conversations/room-transactions.ts'
import { query } from '../../model/schema/query.ts'

/** Takes the writer a few milliseconds. */
const STEP = 500

export interface TrimMessages {
  /** How long messages are kept, in milliseconds. */
  keptMs: number
}

/** By id, which needs no index of its own. Never the newest: SQLite would give its id again. */
const oldestMessages = query()((db) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId', 'clientId', 'createdAt'])
    .where('id', '<', (eb) => eb.selectFrom('message').select((max) => max.fn.max('id').as('id')))
    .orderBy('id')
    .limit(STEP),
)

/**
 * One step of deleting messages of rooms that are older than a time, with their files. No event is sent: an open
 * thread keeps them until it is opened again.
 */
export const trimMessages = defineCommand({
  name: 'trimRoomMessages',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction, _actor: Actor | null, { keptMs }: TrimMessages): { removed: number } {
    const oldest = tx.all(oldestMessages)
    const firstKept = oldest.findIndex(({ createdAt }) => createdAt >= tx.now - keptMs)
    const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
    return { removed: expired.length === 0 ? 0 : deleteMessages(tx, expired) }
  },
})
