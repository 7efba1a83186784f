import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { MAX_NEW_CONVERSATIONS, NEW_CONVERSATION_WINDOW_MS } from '../../../shared/direct-messages/limits.ts'
import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import { channelOfMedia } from '../../../shared/direct-messages/rules.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { ContactChannel } from '../../../shared/relations/contact-rules.ts'
import { defineCommand, type RetryKey } from '../../kernel/database/commands/define-command.ts'
import { joinStreams, type Stream, userStream } from '../../kernel/database/events/streams.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'
import { checkContact, getParticipants, type Participants } from '../relations/access.ts'
import { insertRow, query } from '../schema/query.ts'
import type { TextPlace } from '../text-screening/transactions.ts'
import { toDirectMessage } from './direct-messages.ts'
import { directMessages, type MessageRow } from './message-table.ts'
import { type MessageDraft, send } from './send.ts'
import { conversationOfUsers, conversationSide, findConversation } from './sides.ts'

export interface SendDirectMessage extends MessageDraft {
  recipientId: UserId
}

type SendAnswer = { success: true; message?: DirectMessage }

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
const insertSide = insertRow('conversationSide', ['userId', 'conversationId', 'otherUserId', 'startedAt'], {
  lastMessageId: null,
  lastReadId: 0,
  unreadCount: 0,
  deletedUpToId: 0,
  hasWritten: 0,
  allowsMedia: 0,
})
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
    .selectFrom('conversationSide')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<number | null>('startedAt').as('firstAt')])
    .where('userId', '=', p('userId'))
    .where('startedAt', '>', p('since')),
)

/** Sends a message to another user, as `sendToUser`. */
export const sendDirectMessage = defineCommand({
  name: 'sendDirectMessage',
  keepResult: { inRow: findSentDirectMessage },
  keepsCachedRows: true,
  storesMessage: true,
  run: sendToUser,
})

/**
 * Sends a message to another user, the only one who is notified of its mentions. Refuses with NotFound, ContactRefused, MediaNotFound
 * or TooManyConversations. One that is hidden from its recipient changes nothing of theirs; the sender's answer and event
 * are as always.
 */
export function sendToUser(tx: Transaction, actor: Actor | null, draft: SendDirectMessage): SendAnswer | Refusal {
  return send({ textPlace, admit, deliver }, tx, actor, draft)
}

function textPlace({ recipientId }: SendDirectMessage): TextPlace {
  return { kind: 'direct', recipientId }
}

function admit(tx: Transaction, actor: Actor, { recipientId, mediaId }: SendDirectMessage) {
  const participants = getParticipants(tx.cached, actor.userId, recipientId)
  if (!participants || participants.other.nameReleasedAt !== null)
    return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
  const channels = channelsOf(tx, participants.own.id, mediaId)
  if (channels instanceof Refusal) return channels
  for (const channel of channels) {
    const refusal = checkContact(tx.cached, channel, participants)
    if (refusal) return refusal
  }
  return { sender: participants.own, participants }
}

function deliver(
  tx: Transaction,
  { participants }: Exclude<ReturnType<typeof admit>, Refusal>,
  { content, mediaId, replyToId, clientId }: SendDirectMessage,
): SendAnswer | Refusal {
  const { own, other } = participants
  const conversationId = continueOrStart(tx, participants)
  if (conversationId instanceof Refusal) return conversationId
  const message = { conversationId, content, mediaId, replyToId, clientId, createdAt: tx.now }
  const row = directMessages.insert(tx, own, message)
  // A root admin who receives it reads it.
  const isHidden = row.audience !== null && other.role !== 'rootadmin'
  updateSides(tx, participants, { conversationId, id: row.id, isHidden })
  const sent = messageFor(tx, participants, row, own)
  if (isHidden) emitMessage(tx, participants, sent, null)
  else emitMessage(tx, participants, sent, replyToId === null ? sent : messageFor(tx, participants, row, other))
  return { success: true, message: sent }
}

/** Adds the message to the list of its sender, and to that of its recipient unless it is hidden. */
function updateSides(
  tx: Transaction,
  { own, other }: Participants,
  { conversationId, id, isHidden }: { conversationId: number; id: MessageId; isHidden: boolean },
): void {
  tx.run(updateSenderSide, { userId: own.id, conversationId, id })
  if (isHidden) return
  const received = { userId: other.id, conversationId, id }
  if (tx.run(updateRecipientSide, received).changes > 0) return
  tx.run(insertSide, { userId: other.id, otherUserId: own.id, conversationId, startedAt: null })
  tx.run(updateRecipientSide, received)
}

/** One event for both users, unless they see different quotes. @param received null: it is hidden from the recipient */
function emitMessage(
  tx: Transaction,
  { own, other }: Participants,
  message: DirectMessage,
  received: DirectMessage | null,
): void {
  const recipientInfo = { avatarUrl: other.isGuest === 1 ? null : other.avatarUrl, gender: other.gender }
  const emit = (stream: Stream, shown: DirectMessage, audience?: 'actor') =>
    tx.emit({
      ...{ stream, name: 'directMessage', payload: { ...shown, recipientInfo }, actorId: own.id },
      ...(audience && { audience }),
    })
  if (received === null) {
    emit(userStream(own.id), message, 'actor')
    return
  }
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
  row: MessageRow<'conversationId'>,
  viewer: UserRow,
): DirectMessage {
  const { replyToId, conversationId } = row
  const side = replyToId === null ? undefined : reader.get(conversationSide, { userId: viewer.id, conversationId })
  return toDirectMessage(reader, participants, row, { viewer, isRead: false, quotesAbove: side?.deletedUpToId ?? 0 })
}

/** What the recipient's settings must allow: the text, and the file of this type; refuses another user's file. */
function channelsOf(tx: Transaction, ownId: UserId, mediaId: number | null): ContactChannel[] | Refusal {
  const mediaType = mediaId === null ? null : directMessages.media.typeOfOwn(tx, ownId, mediaId)
  if (mediaType instanceof Refusal) return mediaType
  return mediaType ? ['message', channelOfMedia[mediaType]] : ['message']
}

/**
 * The conversation, which the sender starts unless they see one; messages that are hidden from the sender are none. Refuses with
 * TooManyConversations, counted over all regions. Root admins are exempt.
 */
function continueOrStart(tx: Transaction, participants: Participants): number | Refusal {
  const { own, other } = participants
  const existing = findConversation(tx.cached, own.id, other.id)
  if (existing !== undefined && tx.get(conversationSide, { userId: own.id, conversationId: existing })) return existing
  const since = tx.now - NEW_CONVERSATION_WINDOW_MS
  const recent = own.role === 'rootadmin' ? undefined : tx.get(recentConversations, { userId: own.id, since })
  if (recent && recent.count >= MAX_NEW_CONVERSATIONS)
    return refuse('TooManyConversations', { waitMs: (recent.firstAt ?? since) - since })
  const conversationId = existing ?? addConversation(tx, participants)
  tx.run(insertSide, { userId: own.id, otherUserId: other.id, conversationId, startedAt: tx.now })
  return conversationId
}

function addConversation(tx: Transaction, { own, other }: Participants): number {
  const [lowUserId, highUserId] = own.id < other.id ? [own.id, other.id] : [other.id, own.id]
  const users = { lowUserId, highUserId }
  const { lastId: conversationId } = tx.run(insertConversation, { ...users, createdById: own.id, now: tx.now })
  tx.cached.set(conversationOfUsers, users, { id: conversationId })
  return conversationId
}

/** The answer to the message of this sender with this clientId. Its row has all that its answer had. */
export function findSentDirectMessage(reader: Pick<Reader, 'get'>, key: RetryKey): SendAnswer | undefined {
  const row = directMessages.findSent(reader, key)
  const users = row && reader.get(usersOfConversation, { id: row.conversationId })
  if (!row || !users) return undefined
  const otherId = users.lowUserId === key.userId ? users.highUserId : users.lowUserId
  const participants = getParticipants(reader, key.userId, otherId)
  return participants && { success: true, message: messageFor(reader, participants, row, participants.own) }
}
