import { defineWrite } from '../../kernel/database/define-write.ts'
import { findSentMessage, sendToRoom } from '../../model/room-chat/send-message.ts'

/** The command of `sendToRoom`. */
export const sendMessage = defineWrite({
  name: 'sendMessage',
  origin: 'anyRegion',
  keepResult: { inRow: findSentMessage },
  keepsCachedRows: true,
  storesMessage: true,
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: sendToRoom,
})
