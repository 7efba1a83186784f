import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { MEDIA_LIMIT } from '../media/limits.ts'
import { Media } from '../media/media.ts'
import { MEDIA_FORM_TEXT, mediaFields } from '../media/upload-form.ts'
import { ClientId, Count, Cursor, command, ephemeralEvent, loggedEvent, route, Text } from '../protocol/define.ts'
import { MessageId, UserId } from '../protocol/ids.ts'
import { REPORT_CONTEXT_MESSAGES } from '../reports/limits.ts'
import { reportFields } from '../reports/report-fields.ts'
import { MAX_MESSAGE_LENGTH, MAX_SEARCH_LENGTH, MESSAGES_PER_PAGE, SEARCH_LIMIT } from '../room-chat/limits.ts'
import {
  CONVERSATION_CHANGE_LIMIT,
  CONVERSATION_READ_LIMIT,
  CONVERSATIONS_PER_PAGE,
  MARK_READ_LIMIT,
} from './limits.ts'
import { ConversationEntry, DirectMessage, RecipientInfo } from './message.ts'

/** The users of a conversation, in the fields of the specification. */
const pairFields = {
  senderUsername: v.optional(Text(64)),
  recipientUsername: NameInput,
  /** The id of the recipient if the client knows it; refused when it does not have this name. */
  recipientId: v.optional(UserId),
}
const targetFields = { targetUsername: NameInput, targetUserId: v.optional(UserId) }
const SuccessAnswer = v.object({ success: v.literal(true) })
const messagePage = { messages: v.array(DirectMessage), more: v.boolean() }

export const commands = {
  dmSessionStart: command({
    description:
      'Opens a conversation. The answer is followed by `dmSessionStarted`. Events of the conversation come to all ' +
      'connections of its two users, whether it is open or not; only `directTyping` and `contactVerdictChanged` need it. ' +
      'Where the two have written, `recipientId` counts, and the name may be an earlier one.',
    access: 'signedIn',
    limiter: CONVERSATION_READ_LIMIT,
    identityFields: ['senderUsername'],
    input: v.object(pairFields),
    answer: v.object({ success: v.literal(true), userId: UserId, cursor: Cursor }),
  }),
  dmSessionEnd: command({
    description: 'Closes a conversation on this connection: no more `directTyping` of it.',
    access: 'signedIn',
    limiter: null,
    identityFields: ['senderUsername'],
    input: v.object(pairFields),
    answer: SuccessAnswer,
  }),
  sendDirectMessage: command({
    description:
      'Sends a direct message with a text, a file, or both; `mediaId` is that of an upload of the sender. The ' +
      "recipient's privacy, follows and blocks decide at the moment of the commit. An empty message is ignored: success " +
      'without a message.',
    access: 'signedIn',
    // By user and address, in the handler: the cost is that of the text.
    limiter: null,
    identityFields: ['senderUsername'],
    retry: 'clientId',
    input: v.object({
      ...pairFields,
      content: v.optional(Text(MAX_MESSAGE_LENGTH), ''),
      mediaId: v.optional(v.nullable(Count)),
      replyTo: v.optional(v.nullable(v.object({ id: MessageId }))),
      /** Accepted for the specification; `clientId` identifies the message. */
      messageId: v.optional(Count),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), message: v.optional(DirectMessage) }),
  }),
  getDirectMessages: command({
    description: `Up to ${MESSAGES_PER_PAGE} messages of a conversation, oldest first: those before or after a message id, or the latest.`,
    access: 'signedIn',
    limiter: CONVERSATION_READ_LIMIT,
    // `after: 0` begins with the first message.
    input: v.object({ userId: UserId, before: v.optional(MessageId), after: v.optional(Count) }),
    answer: v.object(messagePage),
  }),
  searchDirectMessages: command({
    description:
      "Up to 20 messages of the sender's conversation with this user that have all the words, as `searchMessages` finds those of " +
      'a room.',
    access: 'signedIn',
    limiter: SEARCH_LIMIT,
    input: v.object({ userId: UserId, text: Text(MAX_SEARCH_LENGTH), before: v.optional(MessageId) }),
    answer: v.object({ userId: UserId, messages: v.array(DirectMessage), before: v.optional(MessageId) }),
  }),
  markMessagesAsRead: command({
    description: 'Marks the messages of the other user as read, up to `upToId` or all; both users get `messagesRead`.',
    access: 'signedIn',
    limiter: MARK_READ_LIMIT,
    identityFields: ['currentUsername'],
    input: v.object({
      currentUsername: v.optional(Text(64)),
      otherUsername: NameInput,
      otherUserId: v.optional(UserId),
      upToId: v.optional(MessageId),
    }),
    answer: SuccessAnswer,
  }),
  directTyping: command({
    description: 'The sender is typing to this user. Ephemeral.',
    access: 'signedIn',
    limiter: null,
    input: v.object({ userId: UserId }),
    answer: SuccessAnswer,
  }),
  allowDirectMedia: command({
    description: "Shows pictures and videos of a user to whom the sender has not written. The sender's own choice.",
    access: 'signedIn',
    limiter: CONVERSATION_CHANGE_LIMIT,
    retry: 'clientId',
    input: v.object({ userId: UserId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
}

export const events = {
  dmSessionStarted: ephemeralEvent({
    description: 'The latest messages of a conversation just opened, oldest first, and the other user.',
    payload: v.object({
      ...messagePage,
      recipientInfo: RecipientInfo,
      /** Whether pictures and videos of the other user are shown without asking. */
      showsMedia: v.boolean(),
      /** The sender has read the other user's messages up to this id; and how many newer ones there are. */
      readUpToId: Count,
      unreadCount: Count,
      cursor: Cursor,
    }),
  }),
  directMessage: loggedEvent({
    description: 'A direct message was sent; to all connections of its two users. `recipientInfo` shows the recipient.',
    marksGhosts: true,
    payload: v.object({
      ...DirectMessage.entries,
      recipientInfo: v.pick(RecipientInfo, ['avatarUrl', 'gender']),
    }),
  }),
  messagesRead: loggedEvent({
    description: 'A user has read the messages of another up to an id; to all connections of both.',
    payload: v.object({
      readerId: UserId,
      readerUsername: v.string(),
      otherId: UserId,
      otherUsername: v.string(),
      upToId: MessageId,
    }),
  }),
  dmCleared: loggedEvent({
    description:
      'A conversation is gone: a guest has left for good, or it was deleted on another device. `userId` is the other user.',
    payload: v.object({ username: v.string(), userId: UserId }),
  }),
  conversationHidden: loggedEvent({
    description: 'The user has hidden a conversation on one of their devices; to their own connections.',
    payload: v.object({ username: v.string(), userId: UserId }),
  }),
  directMediaAllowed: loggedEvent({
    description: 'The user has allowed the pictures of another user; to their own connections.',
    payload: v.object({ userId: UserId }),
  }),
  contactVerdictChanged: ephemeralEvent({
    description:
      'A change of the privacy of the other user of an open conversation lets the viewer contact them in another way, or ' +
      'no longer; to the connections with the open conversation. `dmSessionStart` tells the present state.',
    payload: v.object({ userId: UserId }),
  }),
  directTyping: ephemeralEvent({
    description: 'The other user of an open conversation is typing.',
    payload: v.object({ userId: UserId, username: v.string() }),
  }),
}

export const routes = {
  directMessages: route({
    description:
      `Messages between the sender, who is \`me\`, and another user: the newest first, ${MESSAGES_PER_PAGE} at a time; ` +
      '`before` is the id of the last one of the page before.',
    method: 'GET',
    path: '/dm/:me/:other',
    access: 'signedIn',
    limiter: CONVERSATION_READ_LIMIT,
    identityFields: ['me'],
    input: v.object({
      me: NameInput,
      other: NameInput,
      before: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.toNumber(), MessageId)),
    }),
    answer: v.object({ success: v.literal(true), ...messagePage, recipientInfo: RecipientInfo }),
  }),
  conversations: route({
    description:
      `The conversations of the sender, the latest first, ${CONVERSATIONS_PER_PAGE} at a time; \`next\` is the \`before\` of the ` +
      'next page, null on the last one. `unreadCount` counts all unread messages.',
    method: 'GET',
    path: '/dm/userconversations',
    access: 'signedIn',
    limiter: CONVERSATION_READ_LIMIT,
    identityFields: ['username'],
    input: v.object({
      username: v.optional(NameInput),
      before: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.toNumber(), MessageId)),
    }),
    answer: v.object({
      success: v.literal(true),
      conversations: v.array(ConversationEntry),
      next: v.nullable(MessageId),
      unreadCount: Count,
    }),
  }),
  uploadDirectMedia: route({
    description: `Stores a file for a direct message of the sender: ${MEDIA_FORM_TEXT}`,
    method: 'POST',
    path: '/dm/upload-media',
    access: 'signedIn',
    limiter: MEDIA_LIMIT,
    retry: 'idempotencyKey',
    fileFields: ['media', 'poster'],
    input: v.object(mediaFields),
    answer: v.object({ success: v.literal(true), ...Media.entries }),
  }),
  hideConversation: route({
    description: 'Takes a conversation out of the list until its next message, and marks its messages as read.',
    method: 'POST',
    path: '/conversation-status/hideconversation',
    access: 'signedIn',
    limiter: CONVERSATION_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object(targetFields),
    answer: v.object({ success: v.literal(true), message: v.string() }),
  }),
  deleteConversation: route({
    description: 'Deletes the messages of a conversation for the sender; the other user keeps them.',
    method: 'POST',
    path: '/dm/delete',
    access: 'signedIn',
    limiter: CONVERSATION_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object(targetFields),
    answer: SuccessAnswer,
  }),
  reportDirectMessage: route({
    description:
      `Reports a message to the root admins, with up to ${REPORT_CONTEXT_MESSAGES} messages around it as they are now. ` +
      'The other user learns nothing. A repeated report changes nothing.',
    method: 'POST',
    path: '/dm/report',
    access: 'signedIn',
    limiter: CONVERSATION_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ messageId: MessageId, senderUsername: NameInput, recipientUsername: NameInput, ...reportFields }),
    answer: v.object({ success: v.literal(true), message: v.string() }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { DirectMessage, Media, RecipientInfo, ConversationEntry }
