import { picturePath } from '../../shared/media/rules.ts'
import type { FileId } from '../../shared/protocol/ids.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { isFileInUse } from './referenced-files.ts'

/** A step is small, so that nobody waits for it. */
const BATCH_SIZE = 200
/** A copy of the folder that is made within this after one of the database has every file that the database names. */
export const UNREFERENCED_GRACE_MS = 24 * 60 * 60_000

const filesAfter = query<{ id: FileId; limit: number }>()((db, p) =>
  db
    .selectFrom('file')
    .select(['id', 'hash', 'unreferencedSince'])
    .where('id', '>', p('id'))
    .orderBy('id')
    .limit(p('limit')),
)
const setUnreferenced = query<{ id: FileId; since: number | null }>()((db, p) =>
  db
    .updateTable('file')
    .set({ unreferencedSince: p('since') })
    .where('id', '=', p('id')),
)
const deleteFile = query<{ id: FileId }>()((db, p) => db.deleteFrom('file').where('id', '=', p('id')))

/**
 * One small step through the rows of files, from the one after `after` on; answers the last id, null at the end. A file that
 * no feature uses is marked, and its row is deleted a day later.
 */
export const sweepFiles = defineWrite({
  name: 'sweepFiles',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, _actor: Actor | null, { after }: { after: number }): { after: number | null } {
    const files = tx.all(filesAfter, { id: after, limit: BATCH_SIZE })
    for (const { id, hash, unreferencedSince } of files) {
      const isInUse = isFileInUse(tx, picturePath(hash))
      if (isInUse !== (unreferencedSince === null)) tx.run(setUnreferenced, { id, since: isInUse ? null : tx.now })
      else if (unreferencedSince !== null && tx.now - unreferencedSince >= UNREFERENCED_GRACE_MS)
        tx.run(deleteFile, { id })
    }
    return { after: files.at(-1)?.id ?? null }
  },
})
