import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { MediaType } from '../media/media.ts'
import { BanDuration } from '../moderation/protocol.ts'
import { ClientId, command, ephemeralEvent, idText, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { MessageId, RestrictionId, RoomId, UserId, WarningId } from '../protocol/ids.ts'
import { ROOM_CHANGE_LIMIT } from '../room-access/limits.ts'
import { Message } from '../room-chat/message.ts'
import {
  CONFIRM_WARNING_LIMIT,
  MAX_MUTE_REASON_LENGTH,
  MAX_WARNING_LENGTH,
  MESSAGE_REMOVAL_LIMIT,
  MUTES_PER_PAGE,
} from './limits.ts'

/** Where a message that can be removed was sent. */
export type MessageType = 'roomMessage' | 'directMessage'

/** A warning as the warned person gets it: without its author. */
export const Warning = v.object({ id: WarningId, text: v.string(), at: Time })
export type Warning = v.InferOutput<typeof Warning>

/** A mute as the muted person gets it. */
export const OwnMute = v.object({
  /** null: the whole site. */
  roomId: v.nullable(RoomId),
  reason: v.string(),
  /** null: until it is lifted. */
  endsAt: v.nullable(Time),
})
export type OwnMute = v.InferOutput<typeof OwnMute>

/** A mute as root admins and the staff of its room see it. */
export const Mute = v.object({
  id: RestrictionId,
  userId: UserId,
  username: v.string(),
  isGuest: v.boolean(),
  /** null: the whole site. */
  roomId: v.nullable(RoomId),
  roomName: v.nullable(v.string()),
  duration: BanDuration,
  reason: v.string(),
  /** The name of the one who muted. */
  mutedBy: v.string(),
  at: Time,
  /** null: until it is lifted. */
  endsAt: v.nullable(Time),
})
export type Mute = v.InferOutput<typeof Mute>

const SuccessAnswer = v.object({ success: v.literal(true) })
const MuteAnswer = v.object({ success: v.literal(true), mute: Mute })
const MutesAnswer = v.object({ success: v.literal(true), mutedUsers: v.array(Mute), next: v.nullable(RestrictionId) })

/** A text of a moderator: visible characters, at most `max` UTF-16 units. */
const TrimmedText = (max: number) => v.pipe(Text(max), v.trim(), v.minLength(1))
const muteTerms = { username: NameInput, duration: BanDuration, reason: TrimmedText(MAX_MUTE_REASON_LENGTH) }

export const commands = {
  confirmWarning: command({
    description: 'Confirms that the sender has read a warning, which is not shown again. A confirmed one stays so.',
    access: 'signedIn',
    limiter: CONFIRM_WARNING_LIMIT,
    retry: 'clientId',
    input: v.object({ warningId: WarningId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
  removeMessage: command({
    description:
      "Removes a room's message: others and its author see in its place that it was removed. For root admins, and for " +
      'the owner and the admins of its room unless its author is one of these or a root admin.',
    access: 'member',
    limiter: MESSAGE_REMOVAL_LIMIT,
    retry: 'clientId',
    input: v.object({ messageId: MessageId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
  restoreMessage: command({
    description:
      "Shows a removed message of a room again, for 30 days. What a root admin has removed, the room's staff cannot restore.",
    access: 'member',
    limiter: MESSAGE_REMOVAL_LIMIT,
    retry: 'clientId',
    input: v.object({ messageId: MessageId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
}

export const events = {
  ownSanctions: ephemeralEvent({
    description:
      "After a hello: the user's warnings that are not confirmed, the oldest first, and their mutes. Not sent when there are none.",
    payload: v.object({ warnings: v.array(Warning), mutes: v.array(OwnMute) }),
  }),
  newWarning: loggedEvent({
    description: 'A warning that the user must confirm, by `confirmWarning`. Sent to the user only.',
    payload: Warning,
  }),
  warningClosed: loggedEvent({
    description: 'A warning was confirmed on another device. Sent to the warned user only.',
    payload: v.object({ id: WarningId }),
  }),
  ownMuteChanged: loggedEvent({
    description:
      'The user is muted, or a mute is lifted (null). Sent to the user only; a mute ends by itself at `endsAt`.',
    payload: v.object({ roomId: v.nullable(RoomId), mute: v.nullable(OwnMute) }),
  }),
  userMuted: loggedEvent({
    description: 'A user was muted; for root admins.',
    payload: Mute,
  }),
  muteLifted: loggedEvent({
    description: 'A mute was lifted; for root admins.',
    payload: v.object({ id: RestrictionId, userId: UserId, roomId: v.nullable(RoomId) }),
  }),
  messageRemoved: loggedEvent({
    description:
      'A message of the room was removed: it keeps its place without text, file and quote, and quotes of it are unavailable.',
    effect: 'retracts',
    payload: v.object({ roomId: RoomId, id: MessageId }),
  }),
  messageRestored: loggedEvent({
    description: 'A removed message of the room is shown again, in its place and in quotes.',
    hiddenByBlock: true,
    marksGhosts: true,
    payload: Message,
  }),
  directMessageRemoved: loggedEvent({
    description: 'A direct message was removed, as by `messageRemoved`. Sent to both users.',
    effect: 'retracts',
    payload: v.object({ id: MessageId, senderId: UserId, recipientId: UserId }),
  }),
}

export const routes = {
  warnUser: route({
    description: 'Warns a user, who gets the text as a popup that must be confirmed. Root admins cannot be warned.',
    method: 'POST',
    path: '/users/warn',
    access: 'rootadmin',
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput, text: TrimmedText(MAX_WARNING_LENGTH) }),
    answer: v.object({ success: v.literal(true), warningId: WarningId }),
  }),
  muteUser: route({
    description:
      'Mutes a user on the whole site: rooms, posts, comments, calls, and direct messages to others than root admins. ' +
      'The sender and root admins cannot be muted. A further mute replaces the terms.',
    method: 'POST',
    path: '/users/mute',
    access: 'rootadmin',
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object(muteTerms),
    answer: MuteAnswer,
  }),
  liftMute: route({
    description: 'Lifts the mutes of the whole site of every user who has or had this name.',
    method: 'POST',
    path: '/users/lift-mute/:username',
    access: 'rootadmin',
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
  mutedUsers: route({
    description: `The present mutes of the site and of all rooms, the latest first, ${MUTES_PER_PAGE} at a time; \`next\` is the \`before\` of the next page, null on the last one.`,
    method: 'GET',
    path: '/users/muted-users',
    access: 'rootadmin',
    limiter: null,
    input: v.object({ before: v.optional(idText(RestrictionId)) }),
    answer: MutesAnswer,
  }),
  muteInRoom: route({
    description:
      'Mutes a user in a room, for its owner, its admins and root admins. The staff of the room and root admins cannot ' +
      'be muted. A further mute replaces the terms.',
    method: 'POST',
    path: '/rooms/:id/mute',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId), ...muteTerms }),
    answer: MuteAnswer,
  }),
  liftRoomMute: route({
    description: 'Lifts the mutes in a room of every user who has or had this name.',
    method: 'POST',
    path: '/rooms/:id/lift-mute/:username',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId), username: NameInput }),
    answer: SuccessAnswer,
  }),
  removedMessage: route({
    description: 'What a removed message of a room said, as long as it is kept: 30 days.',
    method: 'GET',
    path: '/moderation/removed-messages/:id',
    access: 'rootadmin',
    limiter: null,
    input: v.object({ id: idText(MessageId) }),
    answer: v.object({
      success: v.literal(true),
      content: v.string(),
      mediaType: v.nullable(MediaType),
      /** The name of the one who removed it. */
      removedBy: v.string(),
      removedAt: Time,
    }),
  }),
  roomMutedUsers: route({
    description:
      `The present mutes of a room, the latest first, ${MUTES_PER_PAGE} at a time; \`next\` is the \`before\` of the next ` +
      'page, null on the last one. For its owner, its admins and root admins.',
    method: 'GET',
    path: '/rooms/:id/muted-users',
    access: 'member',
    limiter: null,
    input: v.object({ id: idText(RoomId), before: v.optional(idText(RestrictionId)) }),
    answer: MutesAnswer,
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Mute, OwnMute, Warning }
