import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { findSentDirectMessage, sendToUser } from '../../model/direct-messages/send-message.ts'

/** The command of `sendToUser`. */
export const sendDirectMessage = defineCommand({
  name: 'sendDirectMessage',
  origin: 'anyRegion',
  keepResult: { inRow: findSentDirectMessage },
  keepsCachedRows: true,
  storesMessage: true,
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: sendToUser,
})
