import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomMedia } from '../../model/room-chat/queries.ts'

/** Deletes the rows of uploads that no message of a room uses. */
export const deleteUnusedMedia = defineCommand({
  name: 'deleteUnusedRoomMedia',
  origin: 'primary',
  keepResult: 'never',
  run: (tx: Transaction) => roomMedia.deleteUnused(tx),
})
