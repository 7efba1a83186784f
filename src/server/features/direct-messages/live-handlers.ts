import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import {
  ADDRESS_CHARACTER_LIMIT,
  ADDRESS_CONVERSATION_LIMIT,
  ADDRESS_MESSAGE_LIMIT,
  DIRECT_CHARACTER_LIMIT,
  DIRECT_MESSAGE_LIMIT,
} from '../../../shared/direct-messages/limits.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { AnswerWithFollowUp, type Handler } from '../../kernel/live/handler.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { findUserByName, type UserRow } from '../../model/accounts/queries.ts'
import { listDirectMessages } from '../../model/conversations/direct-messages.ts'
import { consumeSendLimits, type SendCost } from '../../model/conversations/send-limits.ts'
import { sendDirectMessage as sendDirectMessageCommand } from '../../model/conversations/send-to-user.ts'
import {
  conversationSide,
  findConversation,
  findOwnConversation,
  listUnreadOf,
} from '../../model/conversations/sides.ts'
import { contactVerdicts, findRecipient, getParticipants } from '../../model/relations/access.ts'
import type { ContactWatch } from './contact-watch.ts'
import { markMessagesRead } from './mark-messages-read.ts'
import { recipientInfoOf } from './recipient-info.ts'

const LATEST = { id: Number.MAX_SAFE_INTEGER, side: 'before' } as const

/** Reads the latest messages of a conversation, which follow the answer, and watches what its viewer may do. */
export const startSession =
  (watch: ContactWatch): Handler<'dmSessionStart'> =>
  (appContext, connection, { recipientUsername, recipientId }) => {
    const viewer = connection.identity?.viewer
    if (!viewer) return refuse('NotSignedIn')
    const ownId = viewer.userId
    const opened = appContext.reader.snapshot((reader) => {
      const other = findPartner(reader, ownId, recipientUsername, recipientId)
      const participants = other instanceof Refusal ? undefined : getParticipants(reader, ownId, other.id)
      if (!participants) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
      watch.add(connection, participants.other.id, contactVerdicts(reader, participants))
      return {
        ...listDirectMessages(reader, participants, LATEST),
        ...readStateOf(reader, ownId, participants.other.id),
        recipientInfo: recipientInfoOf(reader, participants, {
          isOnline: appContext.presence.isOnline(participants.other.id, viewer),
          now: appContext.clock(),
        }),
        cursor: reader.cursor(),
      }
    })
    if (opened instanceof Refusal) return opened
    const { recipientInfo, cursor } = opened
    return new AnswerWithFollowUp({ success: true as const, userId: recipientInfo.id, cursor }, () =>
      appContext.publisher.enqueue(connection, encodeEphemeral('dmSessionStarted', opened)),
    )
  }

export const endSession =
  (watch: ContactWatch): Handler<'dmSessionEnd'> =>
  ({ reader }, connection, { recipientUsername, recipientId }) => {
    const otherId = recipientId ?? findUserByName(reader, recipientUsername)?.id
    if (otherId !== undefined) watch.remove(connection, otherId)
    return { success: true }
  }

/** Sends a message. The recipient is resolved by name here; the writer decides on the permission. */
export const sendDirectMessage: Handler<'sendDirectMessage'> = async (appContext, connection, input) => {
  const identity = connection.identity
  if (!identity) return refuse('NotSignedIn')
  const { userId } = identity.viewer
  const other = findPartner(appContext.reader, userId, input.recipientUsername, input.recipientId)
  if (other instanceof Refusal) return other
  const costs = costsOf(appContext.reader, userId, other.id, input.content)
  const waitMs = consumeSendLimits(appContext, identity.viewer, connection.address, costs)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const clientId = input.clientId ?? crypto.randomUUID()
  const message = {
    recipientId: other.id,
    content: input.content,
    mediaId: input.mediaId ?? null,
    replyToId: input.replyTo?.id ?? null,
    clientId,
  }
  return appContext.execute(sendDirectMessageCommand, identity.viewer, message, { clientId })
}

/** A page of a conversation's messages. */
export const getDirectMessages: Handler<'getDirectMessages'> = (appContext, connection, { userId, before, after }) => {
  const ownId = connection.identity?.viewer.userId
  if (ownId === undefined) return refuse('NotSignedIn')
  if (before !== undefined && after !== undefined) return refuse('InvalidInput', { path: 'after' })
  const page = after === undefined ? { ...LATEST, id: before ?? LATEST.id } : ({ id: after, side: 'after' } as const)
  return appContext.reader.snapshot((reader) => {
    const participants = getParticipants(reader, ownId, userId)
    return participants
      ? listDirectMessages(reader, participants, page)
      : refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
  })
}

export const markMessagesAsRead: Handler<'markMessagesAsRead'> = (appContext, connection, input) => {
  const identity = connection.identity
  if (!identity) return refuse('NotSignedIn')
  const other = findRecipient(appContext.reader, input.otherUsername, input.otherUserId)
  if (other instanceof Refusal) return other
  return appContext.execute(markMessagesRead, identity.viewer, { otherUserId: other.id, upToId: input.upToId ?? null })
}

/**
 * Marks the messages of each sender as read, up to the latest of the ids. Ids of read messages and of
 * other users' change nothing and cost no write.
 */
export const notificationDMRead: Handler<'notificationDMRead'> = async (appContext, { identity }, input) => {
  const viewer = identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const upToIds = new Map<UserId, number>()
  for (const { id, senderId } of listUnreadOf(appContext.reader, viewer, input.notificationIds))
    upToIds.set(senderId, Math.max(id, upToIds.get(senderId) ?? 0))
  for (const [otherUserId, upToId] of upToIds) {
    const answer = await appContext.execute(markMessagesRead, viewer, { otherUserId, upToId })
    if (answer instanceof Refusal) return answer
  }
  return { success: true }
}

/** As `findRecipient`; where the two have written, the id is enough, as a name that a client remembers may be an old one. */
function findPartner(reader: Reader, ownId: UserId, username: string, userId?: UserId): Pick<UserRow, 'id'> | Refusal {
  const found = findRecipient(reader, username, userId)
  if (!(found instanceof Refusal) || userId === undefined) return found
  return findOwnConversation(reader, ownId, userId) === undefined ? found : { id: userId }
}

/** What one user has read, and whether they see pictures: once they have written to the other one, or allowed it. */
function readStateOf(reader: Reader, userId: UserId, otherId: UserId) {
  const conversationId = findConversation(reader, userId, otherId)
  const side = conversationId && reader.get(conversationSide, { userId, conversationId })
  if (!side) return { readUpToId: 0, unreadCount: 0, showsMedia: false }
  return {
    readUpToId: Math.max(side.lastReadId, side.deletedUpToId),
    unreadCount: side.unreadCount,
    showsMedia: side.hasWritten === 1 || side.allowsMedia === 1,
  }
}

/** What a message costs: one message, its characters, and a conversation if it is the first one. */
export function costsOf(reader: Reader, userId: UserId, recipientId: UserId, content: string): SendCost[] {
  const isFirst = findOwnConversation(reader, userId, recipientId) === undefined
  return [
    { ofUser: DIRECT_MESSAGE_LIMIT, ofAddress: ADDRESS_MESSAGE_LIMIT, points: 1 },
    { ofUser: DIRECT_CHARACTER_LIMIT, ofAddress: ADDRESS_CHARACTER_LIMIT, points: content.length },
    { ofAddress: ADDRESS_CONVERSATION_LIMIT, points: isFirst ? 1 : 0 },
  ]
}
