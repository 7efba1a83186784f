import * as v from 'valibot'
import { idText, loggedEvent, route } from '../protocol/define.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { RoomListing } from '../rooms/protocol.ts'
import { OwnRoom } from './own-room.ts'

const roomsOfUser = {
  method: 'GET',
  access: 'signedIn',
  input: v.object({ id: idText(UserId) }),
  answer: v.object({ success: v.literal(true), rooms: v.array(OwnRoom) }),
} as const

export const events = {
  roomCreated: loggedEvent({
    description:
      'A room was ordered, or is active again after a renewal: to everyone if it is listed, else to its owner alone.',
    payload: v.object({ room: RoomListing, isList: v.boolean() }),
  }),
  roomDeactivated: loggedEvent({
    description:
      'A room was deactivated, a week after it expired: to everyone if it is listed, else to those who are in it. They ' +
      'are out of it and enter room 1.',
    payload: v.object({ roomId: RoomId, isList: v.boolean() }),
  }),
  ownRoomsChanged: loggedEvent({
    description:
      'To the owner and the admins of a room that was ordered, renewed, deactivated or activated: fetch again.',
    payload: v.object({ roomId: RoomId }),
  }),
}

export const routes = {
  roomsCreatedBy: route({
    ...roomsOfUser,
    description:
      'The active rooms of a user, the latest first: all of them for the user and for root admins, else the listed ones ' +
      'if the viewer may see the profile.',
    path: '/rooms/created-by/:id',
  }),
  inactiveRooms: route({
    ...roomsOfUser,
    description: 'The deactivated rooms of a user, the latest first; for the user and for root admins.',
    path: '/rooms/inactive/:id',
  }),
  adminRooms: route({
    ...roomsOfUser,
    description: 'The active rooms that a user is an admin of, the latest first; for the user and for root admins.',
    path: '/rooms/admin-rooms/:id',
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { OwnRoom }
