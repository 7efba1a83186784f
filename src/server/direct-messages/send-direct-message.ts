import { USER_NOT_FOUND_TEXT } from '../../shared/accounts/protocol.ts'
import { MAX_NEW_CONVERSATIONS, NEW_CONVERSATION_WINDOW_MS } from '../../shared/direct-messages/limits.ts'
import type { DirectMessage } from '../../shared/direct-messages/message.ts'
import { channelOfMedia } from '../../shared/direct-messages/rules.ts'
import type { MessageId, UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH } from '../../shared/room-chat/limits.ts'
import { normaliseMessage } from '../../shared/room-chat/rules.ts'
import { defineWrite, type EarlierRun, type RetryKey } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { joinStreams, type Stream, userStream } from '../database/streams.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { checkContact, getParticipants, type Participants } from '../relations/access.ts'
import { isStoredTextOf, resolveMentions } from '../room-chat/transactions.ts'
import { isReplacedTextOf, submitText } from '../text-submission/transactions.ts'
import {
  conversationOfUsers,
  conversationSide,
  type DirectMessageRow,
  directMedia,
  findConversation,
  toDirectMessage,
} from './queries.ts'

export interface SendDirectMessage {
  recipientId: UserId
  content: string
  mediaId: number | null
  replyToId: MessageId | null
  clientId: string
}

type SendAnswer = { success: true; message?: DirectMessage }

const messageByClientId = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db.selectFrom('directMessage').selectAll().where('senderId', '=', p('userId')).where('clientId', '=', p('clientId')),
)
const usersOfConversation = query<{ id: number }>()((db, p) =>
  db.selectFrom('conversation').select(['lowUserId', 'highUserId']).where('id', '=', p('id')),
)
const insertConversation = query<{ lowUserId: UserId; highUserId: UserId; createdById: UserId; now: number }>()(
  (db, p) =>
    db.insertInto('conversation').values({
      lowUserId: p('lowUserId'),
      highUserId: p('highUserId'),
      createdById: p('createdById'),
      createdAt: p('now'),
      purgeUpToId: null,
    }),
)
const insertSide = query<{ userId: UserId; otherUserId: UserId; conversationId: number }>()((db, p) =>
  db.insertInto('conversationSide').values({
    userId: p('userId'),
    conversationId: p('conversationId'),
    otherUserId: p('otherUserId'),
    lastMessageId: null,
    lastReadId: 0,
    unreadCount: 0,
    deletedUpToId: 0,
    hasWritten: 0,
    allowsMedia: 0,
  }),
)
const insertMessage = query<{
  conversationId: number
  senderId: UserId
  content: string
  mediaId: number | null
  replyToId: MessageId | null
  clientId: string
  createdAt: number
}>()((db, p) =>
  db.insertInto('directMessage').values({
    conversationId: p('conversationId'),
    senderId: p('senderId'),
    content: p('content'),
    mediaId: p('mediaId'),
    replyToId: p('replyToId'),
    clientId: p('clientId'),
    createdAt: p('createdAt'),
  }),
)
const updateSenderSide = query<{ userId: UserId; conversationId: number; id: MessageId }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set({ lastMessageId: p('id'), hasWritten: 1 })
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)
const updateRecipientSide = query<{ userId: UserId; conversationId: number; id: MessageId }>()((db, p) =>
  db
    .updateTable('conversationSide')
    .set((eb) => ({ lastMessageId: p('id'), unreadCount: eb('unreadCount', '+', 1) }))
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)
const recentConversations = query<{ userId: UserId; since: number }>()((db, p) =>
  db
    .selectFrom('conversation')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<number | null>('createdAt').as('firstAt')])
    .where('createdById', '=', p('userId'))
    .where('createdAt', '>', p('since')),
)

/**
 * Sends a message to another user, the only one who is notified of its mentions. Refuses with NotFound, ContactRefused, MediaNotFound
 * or TooManyConversations. Without text and media it is answered with success and not stored.
 */
export const sendDirectMessage = defineWrite({
  name: 'sendDirectMessage',
  origin: 'anyRegion',
  keepResult: { inRow: findSentMessage },
  keepsCachedRows: true,
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, input: SendDirectMessage): SendAnswer | Refusal {
    const text = normaliseMessage(input.content)
    if (!text && input.mediaId === null) return { success: true }
    const participants = actor && getParticipants(tx.cached, actor.userId, input.recipientId)
    if (!participants || participants.other.nameReleasedAt !== null)
      return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const refusal = checkSend(tx, participants, input.mediaId)
    if (refusal) return refusal

    const { own, other } = participants
    const { mediaId, replyToId, clientId } = input
    const place = { kind: 'direct', recipientId: other.id } as const
    const parts = { clientId, replyToId, mediaId }
    const submitted = submitText(tx, { sender: own, place, text, maxLength: MAX_MESSAGE_LENGTH, message: parts })
    if (submitted instanceof Refusal) return submitted
    const conversationId = findConversation(tx.cached, own.id, other.id) ?? startConversation(tx, participants)
    if (conversationId instanceof Refusal) return conversationId
    const { content } = resolveMentions(tx, submitted)
    const values = { conversationId, senderId: own.id, content, mediaId, replyToId, clientId, createdAt: tx.now }
    const { lastId: id } = tx.run(insertMessage, values)
    if (mediaId !== null) directMedia.setUsed(tx, mediaId)
    tx.run(updateSenderSide, { userId: own.id, conversationId, id })
    tx.run(updateRecipientSide, { userId: other.id, conversationId, id })
    const row = { ...values, id, isRemoved: 0 as const }
    const message = messageFor(tx, participants, row, own.id)
    emitMessage(tx, participants, message, replyToId === null ? message : messageFor(tx, participants, row, other.id))
    return { success: true, message }
  },
})

/** One event for both users, unless they see different quotes. */
function emitMessage(
  tx: Transaction,
  { own, other }: Participants,
  message: DirectMessage,
  received: DirectMessage,
): void {
  const recipientInfo = { avatarUrl: other.isGuest === 1 ? null : other.avatarUrl, gender: other.gender }
  const emit = (stream: Stream, shown: DirectMessage) =>
    tx.emit({ stream, name: 'directMessage', payload: { ...shown, recipientInfo }, actorId: own.id })
  if (received.replyTo?.content === message.replyTo?.content) {
    emit(joinStreams(userStream(own.id), userStream(other.id)), message)
    return
  }
  emit(userStream(own.id), message)
  emit(userStream(other.id), received)
}

/** A new message as one of its users sees it: it quotes nothing that this user has deleted. */
function messageFor(
  reader: Pick<Reader, 'get'>,
  participants: Participants,
  row: DirectMessageRow,
  userId: UserId,
): DirectMessage {
  const { replyToId, conversationId } = row
  const side = replyToId === null ? undefined : reader.get(conversationSide, { userId, conversationId })
  return toDirectMessage(reader, participants, row, false, side?.deletedUpToId)
}

/** The refusal of this message: by the recipient's settings for its text and its file. */
function checkSend(tx: Transaction, participants: Participants, mediaId: number | null): Refusal | null {
  const { own } = participants
  const mediaType = mediaId === null ? null : directMedia.typeOfOwn(tx, own.id, mediaId)
  if (mediaType instanceof Refusal) return mediaType
  return (
    checkContact(tx.cached, 'message', participants) ??
    (mediaType ? checkContact(tx.cached, channelOfMedia[mediaType], participants) : null)
  )
}

/** Starts a conversation; refuses with TooManyConversations, counted over all regions. Root admins are exempt. */
function startConversation(tx: Transaction, { own, other }: Participants): number | Refusal {
  const since = tx.now - NEW_CONVERSATION_WINDOW_MS
  const recent = own.role === 'rootadmin' ? undefined : tx.get(recentConversations, { userId: own.id, since })
  if (recent && recent.count >= MAX_NEW_CONVERSATIONS)
    return refuse('TooManyConversations', { waitMs: (recent.firstAt ?? since) - since })
  const [lowUserId, highUserId] = own.id < other.id ? [own.id, other.id] : [other.id, own.id]
  const { lastId: conversationId } = tx.run(insertConversation, {
    lowUserId,
    highUserId,
    createdById: own.id,
    now: tx.now,
  })
  tx.cached.set(conversationOfUsers, { lowUserId, highUserId }, { id: conversationId })
  tx.run(insertSide, { userId: own.id, otherUserId: other.id, conversationId })
  tx.run(insertSide, { userId: other.id, otherUserId: own.id, conversationId })
  return conversationId
}

/** The message of this sender with this clientId. Its row has all that its answer had. */
function findSentMessage(reader: Pick<Reader, 'get'>, key: RetryKey): EarlierRun | undefined {
  const row = reader.get(messageByClientId, key)
  const users = row && reader.get(usersOfConversation, { id: row.conversationId })
  if (!row || !users) return undefined
  const otherId = users.lowUserId === key.userId ? users.highUserId : users.lowUserId
  const participants = getParticipants(reader, key.userId, otherId)
  if (!participants) return undefined
  return {
    answer: { success: true, message: messageFor(reader, participants, row, key.userId) },
    hasInput: (input) => isInputOf(reader, row, otherId, input as SendDirectMessage, key), // only sendDirectMessage asks for its rows
  }
}

function isInputOf(
  reader: Pick<Reader, 'get'>,
  row: DirectMessageRow,
  recipientId: UserId,
  input: SendDirectMessage,
  key: RetryKey,
): boolean {
  // A removed message does not keep what was sent.
  if (row.isRemoved === 1) return recipientId === input.recipientId
  return (
    recipientId === input.recipientId &&
    row.mediaId === input.mediaId &&
    row.replyToId === input.replyToId &&
    (isStoredTextOf(row.content, input.content) || isReplacedTextOf(reader, key, input.content))
  )
}
