import * as v from 'valibot'
import { Count, idText, loggedEvent, PageCursor, route, Text, Time } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { ROOM_CHANGE_LIMIT } from '../room-access/limits.ts'
import { Room, RoomAdmin } from '../rooms/protocol.ts'
import {
  MAX_GREETING_LENGTH,
  MAX_KEPT_VISITS,
  MAX_ROOM_ADMINS,
  MAX_SLOW_MODE_SECONDS,
  ROOM_ADMIN_LIMIT,
  VISITORS_LIMIT,
  VISITORS_PER_PAGE,
} from './limits.ts'

/** Who entered a room, and when they last did. */
export const RoomVisitor = v.object({
  ...RoomAdmin.entries,
  isGuest: v.boolean(),
  visitedAt: Time,
})
export type RoomVisitor = v.InferOutput<typeof RoomVisitor>

const RoomAdminInput = v.object({ roomId: RoomId, userId: UserId })

const roomAdminRoute = {
  method: 'POST',
  access: 'member',
  limiter: ROOM_ADMIN_LIMIT,
  retry: 'idempotencyKey',
  input: RoomAdminInput,
} as const

/** Names below `/uploads/`, and the SHA-256 of the larger picture; all null without a background. */
const backgroundFields = v.pick(Room, ['backgroundImage', 'smallBackgroundImage', 'backgroundImageHash']).entries

const roomSettingsRoute = {
  access: 'member',
  limiter: ROOM_CHANGE_LIMIT,
  retry: 'idempotencyKey',
} as const

export const events = {
  roomSettingsUpdated: loggedEvent({
    description:
      "A room's greeting, slow mode or background was changed; all of them as they are now. Sent to the users of the room.",
    payload: v.object({
      roomId: RoomId,
      greetingMessage: v.nullable(v.string()),
      slowModeSeconds: Count,
      ...backgroundFields,
    }),
  }),
  roomAdminAdded: loggedEvent({
    description: 'A user has become an admin of a room. Sent to the users of the room and to the new admin.',
    payload: v.object({ roomId: RoomId, roomName: v.string(), admin: RoomAdmin }),
  }),
  roomAdminRemoved: loggedEvent({
    description: 'A user is an admin of a room no longer. Sent to the users of the room and to the former admin.',
    payload: v.object({ roomId: RoomId, roomName: v.string(), userId: UserId }),
  }),
}

export const routes = {
  roomVisitors: route({
    description:
      `Who entered a room in the last seven days, guests too, the latest first, ${VISITORS_PER_PAGE} at a time; the ` +
      `latest ${MAX_KEPT_VISITS} are kept. For its owner, its admins and root admins.`,
    method: 'GET',
    path: '/rooms/:id/visitors',
    access: 'member',
    limiter: VISITORS_LIMIT,
    input: v.object({ id: idText(RoomId), before: v.optional(PageCursor) }),
    answer: v.object({ success: v.literal(true), visitors: v.array(RoomVisitor), next: v.nullable(v.string()) }),
  }),
  setGreetingMessage: route({
    description:
      'Sets the text that users see when they enter a room; an empty one removes it. For its owner, its admins and root ' +
      'admins. Control characters and lines beyond the eighth are dropped.',
    method: 'PUT',
    path: '/rooms/:id/greeting-message',
    input: v.object({ id: idText(RoomId), greetingMessage: Text(MAX_GREETING_LENGTH) }),
    answer: v.object({ success: v.literal(true), greetingMessage: v.nullable(v.string()) }),
    ...roomSettingsRoute,
  }),
  setBackground: route({
    description:
      'Sets the picture behind the messages of a room. It is encoded as WebP in two sizes, without metadata. For its ' +
      'owner, its admins and root admins.',
    method: 'PUT',
    path: '/rooms/:id/background',
    input: v.object({ id: idText(RoomId) }),
    answer: v.object({ success: v.literal(true), ...backgroundFields }),
    fileFields: ['backgroundImage'],
    ...roomSettingsRoute,
  }),
  removeBackground: route({
    description: 'Removes the background of a room. For its owner, its admins and root admins.',
    method: 'DELETE',
    path: '/rooms/:id/background',
    input: v.object({ id: idText(RoomId) }),
    answer: v.object({ success: v.literal(true) }),
    ...roomSettingsRoute,
  }),
  setSlowMode: route({
    description:
      'Sets how many seconds a user of a room waits between two messages; 0 ends slow mode. For its owner, its admins ' +
      'and root admins, who do not wait.',
    method: 'POST',
    path: '/rooms/set-slow-mode',
    input: v.object({
      roomId: RoomId,
      slowModeSeconds: v.pipe(Count, v.maxValue(MAX_SLOW_MODE_SECONDS)),
    }),
    answer: v.object({ success: v.literal(true) }),
    ...roomSettingsRoute,
  }),
  addRoomAdmin: route({
    description:
      `Makes a member an admin of a room, which has at most ${MAX_ROOM_ADMINS}. For its owner and root admins. Nothing ` +
      'changes when the member is an admin already.',
    path: '/rooms/add-admin',
    answer: v.object({ success: v.literal(true), admin: RoomAdmin }),
    ...roomAdminRoute,
  }),
  removeRoomAdmin: route({
    description: 'Ends the rights of an admin of a room. For its owner and root admins, and for the admin.',
    path: '/rooms/remove-admin',
    answer: v.object({ success: v.literal(true) }),
    ...roomAdminRoute,
  }),
}
