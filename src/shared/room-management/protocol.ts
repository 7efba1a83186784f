import * as v from 'valibot'
import { loggedEvent, route } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { RoomAdmin } from '../rooms/protocol.ts'
import { MAX_ROOM_ADMINS, ROOM_ADMIN_LIMIT } from './limits.ts'

const RoomAdminInput = v.object({ roomId: RoomId, userId: UserId })

const roomAdminRoute = {
  method: 'POST',
  access: 'member',
  limiter: ROOM_ADMIN_LIMIT,
  identityFields: [],
  retry: 'idempotencyKey',
  input: RoomAdminInput,
} as const

export const events = {
  roomAdminAdded: loggedEvent({
    description: 'A user has become an admin of a room. Sent to the users of the room and to the new admin.',
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ roomId: RoomId, roomName: v.string(), admin: RoomAdmin }),
  }),
  roomAdminRemoved: loggedEvent({
    description: 'A user is an admin of a room no longer. Sent to the users of the room and to the former admin.',
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ roomId: RoomId, roomName: v.string(), userId: UserId }),
  }),
}

export const routes = {
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

type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
