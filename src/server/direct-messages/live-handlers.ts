import { USER_NOT_FOUND_TEXT } from '../../shared/accounts/protocol.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { findUserByName, type UserRow } from '../accounts/queries.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { AnswerThen, type Handler } from '../live/handler.ts'
import { encodeEphemeral } from '../live/publisher.ts'
import { markMessagesRead } from './mark-messages-read.ts'
import { conversationSide, findConversation, getParticipants, listDirectMessages, recipientInfoOf } from './queries.ts'
import { sendDirectMessage as sendDirectMessageWrite } from './send-direct-message.ts'
import { consumeSendLimits } from './send-limits.ts'

const LATEST = { id: Number.MAX_SAFE_INTEGER, side: 'before' } as const

const nameOfUser = query<{ id: UserId }>()((db, p) =>
  db.selectFrom('user').select(['id', 'foldedName']).where('id', '=', p('id')),
)

/** Reads the latest messages of a conversation, which follow the answer. */
export const dmSessionStart: Handler<'dmSessionStart'> = (appContext, connection, input) => {
  const ownId = connection.identity?.viewer.userId
  if (ownId === undefined) return refuse('NotSignedIn')
  const opened = appContext.reader.snapshot((reader) => {
    const other = findRecipient(reader, input.recipientUsername, input.recipientId)
    const participants = other instanceof Refusal ? undefined : getParticipants(reader, ownId, other.id)
    if (!participants) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    return {
      ...listDirectMessages(reader, participants, LATEST),
      recipientInfo: recipientInfoOf(reader, participants, appContext.presence.isOnline(participants.other.id)),
      showsMedia: showsMediaOf(reader, ownId, participants.other.id),
      cursor: reader.cursor(),
    }
  })
  if (opened instanceof Refusal) return opened
  const { recipientInfo, cursor } = opened
  return new AnswerThen({ success: true as const, userId: recipientInfo.id, cursor }, () =>
    appContext.publisher.enqueue(connection, encodeEphemeral('dmSessionStarted', opened)),
  )
}

/** Sends a message. The recipient is resolved by name here; the writer decides on the permission. */
export const sendDirectMessage: Handler<'sendDirectMessage'> = async (appContext, connection, input) => {
  const identity = connection.identity
  if (!identity) return refuse('NotSignedIn')
  const other = findRecipient(appContext.reader, input.recipientUsername, input.recipientId)
  if (other instanceof Refusal) return other
  const waitMs = consumeSendLimits(appContext, identity.viewer, connection.address, other.id, input.content)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const clientId = input.clientId ?? crypto.randomUUID()
  const message = {
    recipientId: other.id,
    content: input.content,
    mediaId: input.mediaId ?? null,
    replyToId: input.replyTo?.id ?? null,
    clientId,
  }
  return appContext.execute(sendDirectMessageWrite, identity.viewer, message, { clientId })
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

/** The user of this name; by id also a guest whose name is released, as old messages stay readable. Refuses with NotFound. */
export function findRecipient(reader: Reader, username: string, userId?: UserId): Pick<UserRow, 'id'> | Refusal {
  const user = userId === undefined ? findUserByName(reader, username) : reader.get(nameOfUser, { id: userId })
  if (!user || user.foldedName !== foldName(username)) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
  return user
}

/** Pictures of a user are shown once one has written to them, or allowed it. */
function showsMediaOf(reader: Reader, userId: UserId, otherId: UserId): boolean {
  const conversationId = findConversation(reader, userId, otherId)
  const side = conversationId && reader.get(conversationSide, { userId, conversationId })
  return side ? side.hasWritten === 1 || side.allowsMedia === 1 : false
}
