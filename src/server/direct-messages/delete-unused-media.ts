import { defineWrite } from '../database/define-write.ts'
import type { Transaction } from '../database/transact.ts'
import { directMedia } from './queries.ts'

/** Deletes the rows of uploads that no message uses. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedDirectMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction) => directMedia.deleteUnused(tx),
})
