import * as v from 'valibot'
import { Gender, Person, Role } from '../accounts/protocol.ts'
import { Count, Cursor, command, ephemeralEvent, idText, route, Text, Time } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { Message } from '../room-chat/message.ts'
import { SNAPSHOT_LIMIT } from './limits.ts'

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

/** A room as its own page shows it; never its password. */
export const Room = v.object({
  id: RoomId,
  name: v.string(),
  greetingMessage: v.nullable(v.string()),
  capacity: Count,
  isList: v.boolean(),
  isActive: v.boolean(),
  ownerId: v.nullable(UserId),
  createdAt: Time,
  updatedAt: Time,
  expiryDate: v.nullable(Time),
  activeUsers: Count,
})
export type Room = v.InferOutput<typeof Room>

/** How many people a page or a snapshot lists; the rest are paged (docs/product.md). */
export const PEOPLE_PER_PAGE = 100

/** What narrows a list of people down: part of a name, and a gender that one can filter by. */
export const peopleFilterFields = { search: v.optional(Text(64)), gender: v.optional(v.picklist(['female', 'male'])) }

const RoomUserPayload = v.object({ roomId: RoomId, user: Person })
const RoomUsernamePayload = v.object({ roomId: RoomId, username: v.string() })

export const commands = {
  getRooms: command({
    description: 'The listed rooms, the liveliest first.',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({}),
    answer: v.object({ rooms: v.array(RoomListing) }),
  }),
  joinRoom: command({
    description:
      'Enters a room and leaves the one before. With the cursor of a page that was just rendered, `missed` brings the ' +
      "room's events since; otherwise `loadRoomMessages` follows. `users-in-room` follows either way. By `exempt` and " +
      '`inRoomForMs` the browser shows ahead what the chat limits will decide.',
    access: 'signedIn',
    limiter: SNAPSHOT_LIMIT,
    identityFields: ['user'],
    retry: 'none',
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
      `The people of a room beyond the snapshot, ${PEOPLE_PER_PAGE} at a time, by name. With \`search\`, a part of names ` +
      'whose letters fold, or `gender`, for root admins and premium members: only those, and `total` counts them. The ' +
      'answer is as the room was told last: every later change follows it, told one by one or by a snapshot.',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
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
    description: `A snapshot of who is in the room: the first ${PEOPLE_PER_PAGE} by name, and how many there are.`,
    payload: v.object({ roomId: RoomId, users: v.array(Person), total: Count }),
  }),
  'user-joined': ephemeralEvent({ description: 'A person entered the room.', payload: RoomUserPayload }),
  'user-left': ephemeralEvent({ description: 'A person left the room.', payload: RoomUsernamePayload }),
  roomUserCountUpdate: ephemeralEvent({
    description: 'How many people a room has now, at most once a second, to everyone.',
    payload: v.object({ roomId: RoomId, activeUsers: Count }),
  }),
  activeUsersForMention: ephemeralEvent({
    description: 'Whom one can mention in the room, with each snapshot; not for root admins.',
    payload: v.object({ roomId: RoomId, users: v.array(v.object({ id: UserId, username: v.string() })) }),
  }),
}

export const routes = {
  listRooms: route({
    description: 'The listed rooms, the liveliest first.',
    method: 'GET',
    path: '/rooms',
    access: 'anyone',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({}),
    answer: v.array(RoomListing),
  }),
  roomById: route({
    description: 'One room with its owner and admins.',
    method: 'GET',
    path: '/rooms/:id',
    access: 'anyone',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ id: idText(RoomId) }),
    answer: v.object({
      success: v.literal(true),
      room: v.object({ ...Room.entries, Admins: v.array(RoomAdmin) }),
      ownerUsername: v.nullable(v.string()),
    }),
  }),
  isRoomAdmin: route({
    description: 'Whether somebody looks after a room: as its owner or one of its admins.',
    method: 'GET',
    path: '/rooms/:id/is-admin/:userId',
    access: 'anyone',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ id: idText(RoomId), userId: idText(UserId) }),
    answer: v.object({ success: v.literal(true), isAdmin: v.boolean() }),
  }),
  roomIdByName: route({
    description: 'The id of a room by its name, letters folded.',
    method: 'GET',
    path: '/rooms/get-id/:name',
    access: 'anyone',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ name: v.pipe(Text(128), v.trim(), v.minLength(1)) }),
    answer: v.object({ success: v.literal(true), id: RoomId }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Room, RoomListing, RoomAdmin }

type OwnCommands = typeof commands
type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Commands extends OwnCommands {}
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
