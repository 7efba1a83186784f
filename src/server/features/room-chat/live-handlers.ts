import { randomUUID } from 'node:crypto'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { countMentions } from '../../../shared/room-chat/count-mentions.ts'
import {
  ADDRESS_MENTION_LIMIT,
  ADDRESS_ROOM_CHARACTER_LIMIT,
  ADDRESS_ROOM_MESSAGE_LIMIT,
  MENTION_LIMIT,
  ROOM_CHARACTER_LIMIT,
  ROOM_MESSAGE_LIMIT,
} from '../../../shared/room-chat/limits.ts'
import { plainText } from '../../../shared/text/plain-text.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { roomTimeForChatLimits } from '../../model/conversations/access.ts'
import { consumeSendLimits, type SendCost } from '../../model/conversations/send-limits.ts'
import { sendMessage } from '../../model/conversations/send-to-room.ts'
import { findRestriction } from '../../model/restrictions/queries.ts'
import type { TypingIndicators } from './typing-indicators.ts'

/** The handlers that use the typing indicators. */
export function createLiveHandlers(typing: TypingIndicators): {
  sendMessage: Handler<'sendMessage'>
  typing: Handler<'typing'>
} {
  return {
    /**
     * Sends the message to the writer with the sender's time in the room as this region measures it. A message without
     * file and visible text is dropped here: no limit applies to it, and nothing of it is stored. Refuses with RateLimited.
     */
    sendMessage: (appContext, connection, { roomId, content, replyTo, mediaId = null, clientId = randomUUID() }) => {
      const viewer = connection.identity?.viewer
      if (!viewer) return refuse('NotSignedIn')
      if (!plainText(content) && mediaId === null) return { success: true }
      const waitMs = consumeSendLimits(appContext, viewer, connection.address, costsOf(content))
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const inRoomForMs = connection.roomId === roomId ? roomTimeForChatLimits(appContext, roomId, viewer.userId) : null
      typing.removeTypingUser(roomId, viewer.userId)
      const input = { roomId, content, ...(replyTo && { replyTo }), mediaId, clientId, inRoomForMs }
      return appContext.execute(sendMessage, viewer, input, { clientId })
    },
    /** Adds the sender to the room's typing indicator. Refuses with NotInRoom or Muted. */
    typing: ({ reader, clock }, connection, { roomId }) => {
      const { identity } = connection
      if (!identity || connection.roomId !== roomId) return refuse('NotInRoom')
      const { id, username } = identity.person
      const mute = findRestriction(reader, { kind: 'mute', userId: id, roomId }, clock())
      if (mute) return mute
      typing.addTypingUser(roomId, { id, username })
      return { success: true }
    },
  }
}

/** What a message costs: one message, its characters and its mentions. */
export function costsOf(content: string): SendCost[] {
  return [
    { ofUser: ROOM_MESSAGE_LIMIT, ofAddress: ADDRESS_ROOM_MESSAGE_LIMIT, points: 1 },
    { ofUser: ROOM_CHARACTER_LIMIT, ofAddress: ADDRESS_ROOM_CHARACTER_LIMIT, points: content.length },
    { ofUser: MENTION_LIMIT, ofAddress: ADDRESS_MENTION_LIMIT, points: countMentions(content) },
  ]
}
