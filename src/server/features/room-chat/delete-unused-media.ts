import { defineWrite } from '../../kernel/database/define-write.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { roomMedia } from '../../model/room-chat/queries.ts'

/** Deletes the rows of uploads that no message of a room uses. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedRoomMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction) => roomMedia.deleteUnused(tx),
})
