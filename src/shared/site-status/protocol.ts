import * as v from 'valibot'
import { Gender } from '../accounts/protocol.ts'
import { Count, command, ephemeralEvent, loggedEvent, route, Text } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { MAX_POPUP_LENGTH, MAX_WATCHED_ROOMS } from './limits.ts'

/** The path of a picture on this site. */
const PicturePath = v.pipe(
  Text(200),
  v.regex(/^\/(?:uploads|staticImages|drawings)\/(?!.*\.\.)[\w./-]+$/, 'Resim bu sitede olmalı.'),
)
export const EMPTY_POPUP_TEXT = 'Duyuru boş olamaz.'
const RoomLastMessage = v.object({ roomId: RoomId, messageId: Count })

export const commands = {
  getStatus: command({
    description: "How many users are on the site, or in the sender's room, by gender and device; and the site's owner.",
    access: 'signedIn',
    input: v.object({ roomId: v.optional(RoomId) }),
    answer: v.object({
      activeUsers: Count,
      male: Count,
      female: Count,
      desktop: Count,
      mobile: Count,
      owner: v.string(),
    }),
  }),
  watchRooms: command({
    description:
      'Replaces the rooms whose `roomActivity` this connection gets. The answer has the last message of each room that ' +
      'the sender may enter; 0 for an empty room.',
    access: 'signedIn',
    input: v.object({ roomIds: v.pipe(v.array(RoomId), v.maxLength(MAX_WATCHED_ROOMS)) }),
    answer: v.object({ rooms: v.array(RoomLastMessage) }),
  }),
}

export const events = {
  roomActivity: ephemeralEvent({
    description:
      'A message was sent or removed in a watched room; at most once in 3 seconds for each room. `messageId` is the ' +
      'last message of the room, 0 for an empty one.',
    payload: RoomLastMessage,
  }),
  popupNotification: loggedEvent({
    description:
      'A popup to everyone, or to the users of the room. `message` is sanitized HTML; the client sanitizes it again.',
    payload: v.object({
      message: v.string(),
      senderUsername: v.string(),
      senderId: UserId,
      senderAvatarUrl: v.nullable(v.string()),
      senderGender: v.nullable(Gender),
      imagePath: v.nullable(v.string()),
      roomId: v.optional(RoomId),
    }),
  }),
}

export const routes = {
  sendPopup: route({
    description:
      'Shows a popup to everyone on the site, or with `roomId` to the users of that room, in every region. `message` ' +
      'is reduced to simple formatting and links.',
    method: 'POST',
    path: '/root-admin/send-popup',
    access: 'rootadmin',
    retry: 'idempotencyKey',
    input: v.object({
      message: v.pipe(Text(MAX_POPUP_LENGTH), v.trim(), v.minLength(1, EMPTY_POPUP_TEXT)),
      roomId: v.optional(RoomId),
      imagePath: v.optional(PicturePath),
    }),
    answer: v.object({ success: v.literal(true) }),
  }),
}
