import { defineWrite } from '../database/define-write.ts'
import type { Transaction } from '../database/transact.ts'
import { roomMedia } from './queries.ts'

/** Deletes the rows of uploads that no message of a room uses. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedRoomMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction) => roomMedia.deleteUnused(tx),
})
