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
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { findRestriction } from '../../model/restrictions/queries.ts'
import { roomTimeForChatLimits } from '../../model/room-chat/access.ts'
import { sendMessage } from './send-message.ts'
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
      const waitMs = consumeFloodLimits(appContext, viewer, connection.address, content)
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

/**
 * Takes what a room's message costs its sender and their address: one message, its characters and its mentions. Returns
 * 0, or the milliseconds until there is enough of all. Root admins are exempt; owners and admins of the room are not.
 * @param address null when it cannot be attributed to the sender (http/client-address.ts)
 */
export function consumeFloodLimits(
  { personLimiters, clock }: Pick<AppContext, 'personLimiters' | 'clock'>,
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  address: string | null,
  content: string,
): number {
  if (role === 'rootadmin') return 0
  const costs = [
    { ofUser: ROOM_MESSAGE_LIMIT, ofAddress: ADDRESS_ROOM_MESSAGE_LIMIT, points: 1 },
    { ofUser: ROOM_CHARACTER_LIMIT, ofAddress: ADDRESS_ROOM_CHARACTER_LIMIT, points: content.length },
    { ofUser: MENTION_LIMIT, ofAddress: ADDRESS_MENTION_LIMIT, points: countMentions(content) },
  ].filter(({ points }) => points > 0)
  const charges: Charge[] = costs.map(({ ofUser: limit, points }) => ({ limit, key: userId, points }))
  if (address !== null) {
    const key = addressGroup(address)
    charges.push(...costs.map(({ ofAddress: limit, points }) => ({ limit, key, points })))
  }
  return personLimiters.consumeAll(charges, clock())
}
