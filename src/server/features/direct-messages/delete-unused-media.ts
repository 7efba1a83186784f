import { defineWrite } from '../../kernel/database/define-write.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { directMedia } from '../../model/direct-messages/queries.ts'

/** Deletes the rows of uploads that no message uses. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedDirectMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction) => directMedia.deleteUnused(tx),
})
