import type { FileId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { UNREFERENCED_GRACE_MS } from '../../kernel/files/file-rows.ts'
import { query, updateRow } from '../../model/schema/query.ts'
import { isFileInUse } from './referenced-files.ts'

/** Small, so that a batch does not delay other commands. */
const BATCH_SIZE = 200

const filesAfter = query<{ id: FileId; limit: number }>()((db, p) =>
  db
    .selectFrom('file')
    .select(['id', 'hash', 'unreferencedSince'])
    .where('id', '>', p('id'))
    .orderBy('id')
    .limit(p('limit')),
)
const setUnreferenced = updateRow('file', ['id'], ['unreferencedSince'])
const deleteFile = query<{ id: FileId }>()((db, p) => db.deleteFrom('file').where('id', '=', p('id')))

/**
 * Processes a batch of file rows after the id `after`; returns the last id, or null at the end. Marks files that no feature
 * references, and deletes their rows a day later.
 */
export const sweepFiles = defineCommand({
  name: 'sweepFiles',
  origin: 'primary',
  run(tx: Transaction, _actor: Actor | null, { after }: { after: number }): { after: number | null } {
    const files = tx.all(filesAfter, { id: after, limit: BATCH_SIZE })
    for (const { id, hash, unreferencedSince } of files) {
      const isInUse = isFileInUse(tx, hash)
      if (isInUse !== (unreferencedSince === null))
        tx.run(setUnreferenced, { id, unreferencedSince: isInUse ? null : tx.now })
      else if (unreferencedSince !== null && tx.now - unreferencedSince >= UNREFERENCED_GRACE_MS)
        tx.run(deleteFile, { id })
    }
    return { after: files.at(-1)?.id ?? null }
  },
})
