import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'

/** A retry comes within a week, as for the stored answers of commands. */
const REPLACED_TEXT_RETENTION_MS = 7 * 24 * 60 * 60_000
const STEP_ROWS = 500

const deleteReplacedTexts = query<{ before: number; limit: number }>()((db, p) =>
  db
    .deleteFrom('replacedText')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('senderId', 'clientId'),
        'in',
        selectFrom('replacedText')
          .select(['senderId', 'clientId'])
          .where('replacedAt', '<', p('before'))
          .limit(p('limit'))
          .$asTuple('senderId', 'clientId'),
      ),
    ),
)

/** One step of forgetting which texts were replaced. */
export const trimReplacedTexts = defineCommand({
  name: 'trimReplacedTexts',
  origin: 'primary',
  keepResult: 'never',
  keepsCachedRows: true,
  run(tx: Transaction): { removed: number } {
    const before = tx.now - REPLACED_TEXT_RETENTION_MS
    return { removed: tx.run(deleteReplacedTexts, { before, limit: STEP_ROWS }).changes }
  },
})
