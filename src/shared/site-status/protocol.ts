import * as v from 'valibot'
import { Gender } from '../accounts/protocol.ts'
import { Count, command, ephemeralEvent, loggedEvent, route, Text } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { MAX_POPUP_LENGTH, MAX_WATCHED_ROOMS } from './limits.ts'

/** A picture of this site, by its path. */
const PicturePath = v.pipe(
  Text(200),
  v.regex(/^\/(?:uploads|staticImages|drawings)\/(?!.*\.\.)[\w./-]+$/, 'Resim bu sitede olmalı.'),
)
const RoomLastMessage = v.object({ roomId: RoomId, messageId: Count })

export const commands = {
  getStatus: command({
    description: 'How many people are on the site, or in the room that one is in, of what kind; and whose site it is.',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
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
      'From now on this connection hears `roomActivity` of these rooms, and of no others. The answer has the last ' +
      'message of each that can be entered; 0 where there is none.',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ roomIds: v.pipe(v.array(RoomId), v.maxLength(MAX_WATCHED_ROOMS)) }),
    answer: v.object({ rooms: v.array(RoomLastMessage) }),
  }),
}

export const events = {
  roomActivity: ephemeralEvent({
    description:
      'Something was said in a room that is watched, or was taken away there; once in 3 seconds a room at most. ' +
      '`messageId` is the last message that is there, and 0 where there is none. It does not say what was said.',
    payload: RoomLastMessage,
  }),
  popupNotification: loggedEvent({
    description:
      'A popup to everyone, or to the people of the room. `message` is HTML, cleaned; it is to be cleaned again.',
    hiddenByBlock: false,
    effect: 'none',
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
      'Shows a popup to everyone on the site, or with `roomId` to the people of that room, in every region. Of the HTML ' +
      'in `message` only simple marks and links are kept.',
    method: 'POST',
    path: '/rooms/send-popup',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({
      message: v.pipe(Text(MAX_POPUP_LENGTH), v.trim(), v.minLength(1, 'Duyuru boş olamaz.')),
      roomId: v.optional(RoomId),
      imagePath: v.optional(PicturePath),
    }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

type OwnCommands = typeof commands
type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Commands extends OwnCommands {}
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
