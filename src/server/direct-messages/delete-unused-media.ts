import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Transaction } from '../database/transact.ts'

/** Uploads removed by one step of the job. */
const STEP = 200

const setExpired = query<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('directMedia')
    .set({ expiresAt: p('now') })
    .where('id', '=', p('id'))
    .where('isReported', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('directMessage').select('directMessage.id').where('mediaId', '=', p('id')))),
    ),
)
/** Leaves the newest of all uploads: SQLite would give its id again, and an unsent message would send another file. */
const expiredMedia = query<{ now: number }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select('id')
    .where('expiresAt', '<=', p('now'))
    .where('id', '<', (eb) => eb.selectFrom('directMedia').select((max) => max.fn.max('id').as('id')))
    .limit(STEP),
)
const deleteMedia = query<{ id: number }>()((db, p) => db.deleteFrom('directMedia').where('id', '=', p('id')))

/** Lets the job delete a file whose message was removed, unless another message uses it or a report keeps it. */
export function expireMedia(tx: Transaction, id: number): void {
  tx.run(setExpired, { id, now: tx.now })
}

/** Deletes the rows of uploads that no message uses, some at a time. Their files go with the next sweep of files. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedDirectMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction): { removed: number } {
    const expired = tx.all(expiredMedia, { now: tx.now })
    for (const { id } of expired) tx.run(deleteMedia, { id })
    return { removed: expired.length }
  },
})
