import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { AddMedia } from '../../model/media/transactions.ts'
import { roomMedia } from '../../model/room-chat/queries.ts'

/** Adds the row of an upload for a room's message. */
export const addMedia = defineCommand({
  name: 'addRoomMedia',
  // The row is looked up in `add`, because the message of the upload has the same clientId.
  keepResult: 'never',
  run: (tx: Transaction, actor: Actor | null, input: AddMedia) => roomMedia.add(tx, actor, input),
})
