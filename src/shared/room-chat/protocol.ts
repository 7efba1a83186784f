import * as v from 'valibot'
import { MEDIA_LIMIT } from '../media/limits.ts'
import { Media } from '../media/media.ts'
import { MEDIA_FORM_TEXT, mediaFields } from '../media/upload-form.ts'
import { ClientId, Count, command, ephemeralEvent, idText, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { MessageId, RoomId, UserId } from '../protocol/ids.ts'
import { SNAPSHOT_LIMIT } from '../rooms/limits.ts'
import { MAX_MESSAGE_LENGTH, MAX_QUOTE_LENGTH, MAX_SEARCH_LENGTH, SEARCH_LIMIT } from './limits.ts'
import { Message } from './message.ts'

export const commands = {
  sendMessage: command({
    description:
      "Sends a message to the sender's room, with a text, a file, or both; `mediaId` is that of an upload of the sender. " +
      'An empty message is ignored: success without an id. A name after an @ ' +
      'mentions a user of the room or another existing user, who gets `mentionNotification`; the @ before any other ' +
      'name is removed.',
    access: 'signedIn',
    limiter: null,
    identityFields: ['username'],
    retry: 'clientId',
    input: v.object({
      roomId: RoomId,
      content: Text(MAX_MESSAGE_LENGTH),
      username: v.optional(Text(64)),
      replyTo: v.optional(v.object({ id: MessageId })),
      mediaId: v.optional(v.nullable(Count)),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), id: v.optional(MessageId), createdAt: v.optional(Time) }),
  }),
  mentionNotification: command({
    description: 'Accepted for the specification; `sendMessage` has already notified the mentioned users.',
    access: 'signedIn',
    limiter: null,
    identityFields: ['messageSender'],
    input: v.object({
      mentionedUsername: v.optional(Text(64)),
      roomId: v.optional(RoomId),
      content: v.optional(Text(MAX_MESSAGE_LENGTH)),
      messageSender: v.optional(Text(64)),
      isGuest: v.optional(v.boolean()),
      userId: v.optional(UserId),
    }),
    answer: v.object({ success: v.literal(true) }),
  }),
  getMessages: command({
    description:
      "Up to 40 messages of the sender's room, oldest first: those before or after a message id, or the latest without " +
      'an id. `more` is true if there are further messages in that direction. Removed messages and those hidden from ' +
      'the sender are left out.',
    access: 'signedIn',
    limiter: SNAPSHOT_LIMIT,
    input: v.object({ roomId: RoomId, before: v.optional(MessageId), after: v.optional(MessageId) }),
    answer: v.object({ roomId: RoomId, messages: v.array(Message), more: v.boolean() }),
  }),
  searchMessages: command({
    description:
      "Up to 20 messages of the sender's room that have all the words, the last one as a prefix, newest first. İ, I, ı " +
      'and i count as one letter. `before` of the answer is that of the next page, which may be short or empty; it is ' +
      'absent at the end of the search.',
    access: 'signedIn',
    limiter: SEARCH_LIMIT,
    input: v.object({ roomId: RoomId, text: Text(MAX_SEARCH_LENGTH), before: v.optional(MessageId) }),
    answer: v.object({ roomId: RoomId, messages: v.array(Message), before: v.optional(MessageId) }),
  }),
  typing: command({
    description: "The sender is typing in the sender's room. Ephemeral.",
    access: 'signedIn',
    limiter: null,
    input: v.object({ roomId: RoomId }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

export const events = {
  message: loggedEvent({
    description: 'A message was sent in the room.',
    hiddenByBlock: true,
    marksGhosts: true,
    payload: Message,
  }),
  mentionNotification: loggedEvent({
    description:
      'A message in a room mentions the receiver; `isGuest` and `userId` are those of the mentioned user. `content` is ' +
      `the text, of a message over ${MAX_QUOTE_LENGTH} characters its beginning.`,
    hiddenByBlock: true,
    payload: v.object({
      mentionedUsername: v.string(),
      roomId: RoomId,
      content: v.string(),
      messageSender: v.string(),
      isGuest: v.boolean(),
      userId: UserId,
      messageId: MessageId,
    }),
  }),
  typing: ephemeralEvent({
    description: 'Some of the users who are typing in the room, at most once a second per room.',
    payload: v.object({ roomId: RoomId, users: v.array(v.object({ id: UserId, username: v.string() })) }),
  }),
}

export const routes = {
  uploadRoomMedia: route({
    description:
      `Stores a file for a message of the sender in a room that they may enter: ${MEDIA_FORM_TEXT} Whether the room takes ` +
      'files of the sender is decided again when the message is sent.',
    method: 'POST',
    path: '/media/upload',
    access: 'signedIn',
    limiter: MEDIA_LIMIT,
    retry: 'idempotencyKey',
    fileFields: ['media', 'poster'],
    input: v.object({ roomId: idText(RoomId), ...mediaFields }),
    answer: v.object({ success: v.literal(true), ...Media.entries }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Message }
