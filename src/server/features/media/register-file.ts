import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'

const addFile = query<{ hash: string; size: number; at: number }>()((db, p) =>
  db
    .insertInto('file')
    .values({ hash: p('hash'), size: p('size'), at: p('at') })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ unreferencedSince: null }).where('file.unreferencedSince', 'is not', null),
    ),
)

/**
 * Adds the row of a file that the primary has, `size` in bytes, so that every candidate fetches it. A repeated upload
 * resets `unreferencedSince`, since a feature is about to reference the file.
 */
export const registerFile = defineCommand({
  name: 'registerFile',
  keepResult: 'never',
  run(tx: Transaction, _actor: Actor | null, { hash, size }: { hash: string; size: number }): { registered: true } {
    tx.run(addFile, { hash, size, at: tx.now })
    return { registered: true }
  },
})
