import * as v from 'valibot'
import { Gender, Person, Role } from '../accounts/protocol.ts'
import { Count, Cursor, command, ephemeralEvent, idText, route, Text, Time } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { Message } from '../room-chat/message.ts'
import { roomOrderFields } from '../room-orders/room-order.ts'
import { SNAPSHOT_LIMIT } from './limits.ts'
import { ROOM_PREFERENCES } from './rules.ts'

/** A room in a list (specification 2, point 3, "Listing entries"). */
export const RoomListing = v.object({
  id: RoomId,
  name: v.string(),
  activeUsers: Count,
})
export type RoomListing = v.InferOutput<typeof RoomListing>

export const RoomAdmin = v.object({
  id: UserId,
  username: v.string(),
  avatarUrl: v.nullable(v.string()),
  gender: v.nullable(Gender),
  role: Role,
})
export type RoomAdmin = v.InferOutput<typeof RoomAdmin>

/** Who may write to a room, or send media to it. */
export const RoomPreference = v.picklist(ROOM_PREFERENCES)

/** The fields of a room on its own page, without the password. */
export const Room = v.object({
  id: RoomId,
  name: v.string(),
  greetingMessage: v.nullable(v.string()),
  /** The names of the background's pictures below `/uploads/`, and the SHA-256 of the larger one. */
  backgroundImage: v.nullable(v.string()),
  smallBackgroundImage: v.nullable(v.string()),
  backgroundImageHash: v.nullable(v.string()),
  capacity: Count,
  isList: v.boolean(),
  isActive: v.boolean(),
  ownerId: v.nullable(UserId),
  createdAt: Time,
  updatedAt: Time,
  expiryDate: v.nullable(Time),
  messagePreference: RoomPreference,
  mediaPreference: RoomPreference,
  /** The wait between two messages of one user; 0 without slow mode. */
  slowModeSeconds: Count,
  hasPassword: v.boolean(),
  activeUsers: Count,
})
export type Room = v.InferOutput<typeof Room>

/** The users of one page or snapshot; the rest are paged (docs/product.md). */
export const PEOPLE_PER_PAGE = 100

/** The filters of a list of users: part of a name, and gender. */
export const peopleFilterFields = { search: v.optional(Text(64)), gender: v.optional(v.picklist(['female', 'male'])) }

const RoomUserPayload = v.object({ roomId: RoomId, user: Person })
const RoomUsernamePayload = v.object({ roomId: RoomId, username: v.string() })

/** How many users are in a room (specification 2, point 3, "Listing entries"). */
const RoomCount = v.object({ roomId: RoomId, activeUsers: Count })
export type RoomCount = v.InferOutput<typeof RoomCount>

/** Which rooms' counts a connection gets: all, those of the 50 busiest, or none. */
const RoomCountScope = v.picklist(['all', 'busiest', 'none'])
export type RoomCountScope = v.InferOutput<typeof RoomCountScope>

export const commands = {
  watchRoomCounts: command({
    description:
      'Replaces the scope of rooms whose `roomUserCountUpdate` this connection gets; `none` at first. The answer has ' +
      'the present counts of the scope; rooms that nobody has entered since the start are left out.',
    access: 'signedIn',
    input: v.object({ scope: RoomCountScope }),
    answer: v.object({ rooms: v.array(RoomCount) }),
  }),
  getRooms: command({
    description: 'The listed rooms, those with the most users first.',
    access: 'signedIn',
    input: v.object({}),
    answer: v.object({ rooms: v.array(RoomListing) }),
  }),
  joinRoom: command({
    description:
      'Enters a room and leaves the previous one. With the cursor of a just rendered page, `missed` has the events of ' +
      'the room since then; otherwise `loadRoomMessages` follows. `users-in-room` always follows. From `exempt` and ' +
      '`inRoomForMs` the browser predicts what the chat limits decide.',
    access: 'signedIn',
    limiter: SNAPSHOT_LIMIT,
    identityFields: ['user'],
    input: v.object({ roomId: RoomId, user: v.optional(v.unknown()), cursor: v.optional(Cursor) }),
    answer: v.object({
      room: Room,
      cursor: Cursor,
      missed: v.optional(v.array(v.tuple([v.literal(4), Cursor, v.string(), v.unknown()]))),
      exempt: v.boolean(),
      inRoomForMs: Count,
    }),
  }),
  getRoomUsers: command({
    description:
      `The users of a room after those of the snapshot, ${PEOPLE_PER_PAGE} at a time, by name. \`search\` filters by part ` +
      'of the folded name; `gender` is for root admins and premium members. `total` counts the matches. The answer ' +
      'matches the last presence events of the room; each later change follows as an event or in a snapshot.',
    access: 'signedIn',
    input: v.object({ roomId: RoomId, after: v.optional(Text(64)), ...peopleFilterFields }),
    answer: v.object({ roomId: RoomId, users: v.array(Person), total: Count }),
  }),
}

export const events = {
  loadRoomMessages: ephemeralEvent({
    description: 'The latest 40 messages of the room just entered, oldest first.',
    payload: v.object({ roomId: RoomId, messages: v.array(Message) }),
  }),
  'users-in-room': ephemeralEvent({
    description: `A snapshot of the users in the room: the first ${PEOPLE_PER_PAGE} by name, and the total count.`,
    payload: v.object({ roomId: RoomId, users: v.array(Person), total: Count }),
  }),
  'user-joined': ephemeralEvent({ description: 'A user entered the room.', payload: RoomUserPayload }),
  'user-left': ephemeralEvent({ description: 'A user left the room.', payload: RoomUsernamePayload }),
  roomUserCountUpdate: ephemeralEvent({
    description: 'The rooms whose count of users changed, at most once a second, to connections that watch them.',
    payload: v.object({ rooms: v.array(RoomCount) }),
  }),
  activeUsersForMention: ephemeralEvent({
    description: 'The users who can be mentioned in the room, with each snapshot; not for root admins.',
    payload: v.object({ roomId: RoomId, users: v.array(v.object({ id: UserId, username: v.string() })) }),
  }),
}

export const routes = {
  listRooms: route({
    description: 'The listed rooms, those with the most users first.',
    method: 'GET',
    path: '/rooms',
    access: 'anyone',
    input: v.object({}),
    answer: v.array(RoomListing),
  }),
  roomById: route({
    description:
      'One room with its owner and admins. Where its content is closed to the caller, the greeting and the background are null.',
    method: 'GET',
    path: '/rooms/:id',
    access: 'anyone',
    input: v.object({ id: idText(RoomId) }),
    answer: v.object({
      success: v.literal(true),
      room: v.object({ ...Room.entries, ...roomOrderFields, Admins: v.array(RoomAdmin) }),
      ownerUsername: v.nullable(v.string()),
    }),
  }),
  isRoomAdmin: route({
    description: 'Whether a user is the owner or an admin of a room.',
    method: 'GET',
    path: '/rooms/:id/is-admin/:userId',
    access: 'anyone',
    input: v.object({ id: idText(RoomId), userId: idText(UserId) }),
    answer: v.object({ success: v.literal(true), isAdmin: v.boolean() }),
  }),
  roomIdByName: route({
    description: 'The id of a room by its folded name.',
    method: 'GET',
    path: '/rooms/get-id/:name',
    access: 'anyone',
    input: v.object({ name: v.pipe(Text(128), v.trim(), v.minLength(1)) }),
    answer: v.object({ success: v.literal(true), id: RoomId }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Room, RoomListing, RoomAdmin }
