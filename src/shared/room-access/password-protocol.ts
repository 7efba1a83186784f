import * as v from 'valibot'
import { idText, loggedEvent, route, Text } from '../protocol/define.ts'
import { RoomId } from '../protocol/ids.ts'
import { ROOM_CHANGE_LIMIT } from './limits.ts'
import {
  MAX_ROOM_PASSWORD_LENGTH,
  MIN_ROOM_PASSWORD_LENGTH,
  ROOM_PASSWORD_TOO_LONG,
  ROOM_PASSWORD_TOO_SHORT,
} from './texts.ts'

const SuccessAnswer = v.object({ success: v.literal(true) })

const NewRoomPassword = v.pipe(
  v.string(),
  v.minLength(MIN_ROOM_PASSWORD_LENGTH, ROOM_PASSWORD_TOO_SHORT),
  v.maxLength(MAX_ROOM_PASSWORD_LENGTH, ROOM_PASSWORD_TOO_LONG),
)

export const events = {
  roomPasswordUpdated: loggedEvent({
    description: 'The password of the room was set, changed or removed. Sessions must enter it again.',
    payload: v.object({ roomId: RoomId, hasPassword: v.boolean() }),
  }),
}

export const routes = {
  setRoomPassword: route({
    description:
      'Sets or changes the password of a room, for its owner, its admins and root admins. Users who are in the room ' +
      'stay; those who enter or read it later need the password.',
    method: 'POST',
    path: '/rooms/:id/set-password',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId), password: NewRoomPassword }),
    answer: SuccessAnswer,
  }),
  removeRoomPassword: route({
    description: 'Removes the password of a room, for its owner, its admins and root admins.',
    method: 'POST',
    path: '/rooms/:id/remove-password',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId) }),
    answer: SuccessAnswer,
  }),
  checkRoomPassword: route({
    description:
      'Checks the password of a room; a right one opens the room to this session until the password changes. Tries are ' +
      'limited by person, by address and by room.',
    method: 'POST',
    path: '/rooms/:id/check-password',
    access: 'signedIn',
    limiter: null,
    input: v.object({ id: idText(RoomId), password: Text(MAX_ROOM_PASSWORD_LENGTH) }),
    answer: SuccessAnswer,
  }),
}
