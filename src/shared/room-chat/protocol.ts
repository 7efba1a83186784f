import * as v from 'valibot'
import { ClientId, command, ephemeralEvent, loggedEvent, Text, Time } from '../protocol/define.ts'
import { MessageId, RoomId, UserId } from '../protocol/ids.ts'
import { SNAPSHOT_LIMIT } from '../rooms/limits.ts'
import { MAX_MESSAGE_LENGTH, MAX_SEARCH_LENGTH, SEARCH_LIMIT } from './limits.ts'
import { Message } from './message.ts'

/** A message mentions at most this many people; an @ before any further name is taken away. */
export const MAX_MENTIONS = 20

export const commands = {
  sendMessage: command({
    description:
      'Says something in the room that the sender is in. An empty message is ignored: success without an id. Each name ' +
      'after an @ must be that of a room user or an existing user: those are told by `mentionNotification`, and the @ ' +
      'before any other is taken away.',
    access: 'signedIn',
    limiter: null,
    identityFields: ['username'],
    retry: 'clientId',
    input: v.object({
      roomId: RoomId,
      content: Text(MAX_MESSAGE_LENGTH),
      username: v.optional(Text(64)),
      replyTo: v.optional(v.object({ id: MessageId })),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), id: v.optional(MessageId), createdAt: v.optional(Time) }),
  }),
  mentionNotification: command({
    description: 'Accepted, and does nothing: `sendMessage` has told whomever its message mentions.',
    access: 'signedIn',
    limiter: null,
    identityFields: ['messageSender'],
    retry: 'none',
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
      'Up to 40 messages of the room that one is in, oldest first: those before a message or those after one, by its ' +
      'id, and the latest where neither is given. `more` says whether there are others beyond them. What was cleared ' +
      'or is not for the reader is not among them.',
    access: 'signedIn',
    limiter: SNAPSHOT_LIMIT,
    identityFields: [],
    retry: 'none',
    input: v.object({ roomId: RoomId, before: v.optional(MessageId), after: v.optional(MessageId) }),
    answer: v.object({ roomId: RoomId, messages: v.array(Message), more: v.boolean() }),
  }),
  searchMessages: command({
    description:
      'Up to 20 messages of the room that one is in, newest first, in which all the words are, the last one by its ' +
      'beginning. İ, I, ı and i count as one letter. `before` of the answer goes on with the next ones; it is absent ' +
      'where nothing is left to be looked at, and there may be few messages or none beside it.',
    access: 'signedIn',
    limiter: SEARCH_LIMIT,
    identityFields: [],
    retry: 'none',
    input: v.object({ roomId: RoomId, text: Text(MAX_SEARCH_LENGTH), before: v.optional(MessageId) }),
    answer: v.object({ roomId: RoomId, messages: v.array(Message), before: v.optional(MessageId) }),
  }),
  typing: command({
    description: 'The sender is writing something in the room that they are in. A signal; not kept.',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ roomId: RoomId }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

export const events = {
  message: loggedEvent({
    description: 'A message was said in the room.',
    hiddenByBlock: true,
    effect: 'none',
    payload: Message,
  }),
  mentionNotification: loggedEvent({
    description: 'Somebody mentioned the person in a room: `isGuest` and `userId` are those of who is mentioned.',
    hiddenByBlock: true,
    effect: 'none',
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
    description: 'Some of those who are writing in the room now, at most once a second a room.',
    payload: v.object({ roomId: RoomId, users: v.array(v.object({ id: UserId, username: v.string() })) }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Message }

type OwnCommands = typeof commands
type OwnEvents = typeof events
declare module '../protocol/catalogue.ts' {
  interface Commands extends OwnCommands {}
  interface Events extends OwnEvents {}
}
