import { randomUUID } from 'node:crypto'
import { refuse } from '../../shared/protocol/refusals.ts'
import { plainText } from '../../shared/text/plain-text.ts'
import type { Handler } from '../live/handler.ts'
import { sendMessage } from './send-message.ts'
import type { TypingIndicators } from './typing-indicators.ts'

/** The handlers that use the typing indicators. */
export function createLiveHandlers(typing: TypingIndicators): {
  sendMessage: Handler<'sendMessage'>
  typing: Handler<'typing'>
} {
  return {
    /**
     * Passes the message to the writer, with how long this region has seen its sender in the room. A message without
     * visible text is dropped here: no chat limit would hold it back, and the writer keeps each answer for ever.
     */
    sendMessage: (appContext, connection, { roomId, content, replyTo, clientId = randomUUID() }) => {
      const viewer = connection.identity?.viewer
      if (!viewer) return refuse('NotSignedIn')
      if (!plainText(content)) return { success: true }
      const inRoomForMs = connection.roomId === roomId ? appContext.presence.roomDwellMs(roomId, viewer.userId) : null
      typing.removeTypingUser(roomId, viewer.userId)
      const input = { roomId, content, ...(replyTo && { replyTo }), clientId, inRoomForMs }
      return appContext.execute(sendMessage, viewer, input, { clientId })
    },
    /** Tells the room that the sender is writing. */
    typing: (_appContext, connection, { roomId }) => {
      const { identity } = connection
      if (!identity || connection.roomId !== roomId) return refuse('NotInRoom')
      const { id, username } = identity.person
      typing.addTypingUser(roomId, { id, username })
      return { success: true }
    },
  }
}
