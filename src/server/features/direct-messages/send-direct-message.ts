import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { findSentDirectMessage, sendToUser } from '../../model/direct-messages/send-message.ts'

/** The command of `sendToUser`. */
export const sendDirectMessage = defineCommand({
  name: 'sendDirectMessage',
  keepResult: { inRow: findSentDirectMessage },
  keepsCachedRows: true,
  storesMessage: true,
  run: sendToUser,
})
