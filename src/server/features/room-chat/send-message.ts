import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { findSentMessage, sendToRoom } from '../../model/room-chat/send-message.ts'

/** The command of `sendToRoom`. */
export const sendMessage = defineCommand({
  name: 'sendMessage',
  keepResult: { inRow: findSentMessage },
  keepsCachedRows: true,
  storesMessage: true,
  run: sendToRoom,
})
