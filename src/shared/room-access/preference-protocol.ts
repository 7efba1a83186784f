import * as v from 'valibot'
import { loggedEvent, route } from '../protocol/define.ts'
import { RoomId } from '../protocol/ids.ts'
import { RoomPreference } from '../rooms/protocol.ts'
import { ROOM_CHANGE_LIMIT } from './limits.ts'

const PreferencesAnswer = v.object({ success: v.literal(true) })

export const events = {
  roomPreferencesUpdated: loggedEvent({
    description: 'Who may write to the room and who may send media to it were changed.',
    payload: v.object({ roomId: RoomId, messagePreference: RoomPreference, mediaPreference: RoomPreference }),
  }),
}

export const routes = {
  setMessagePreference: route({
    description: 'Sets who may write to a room. For its owner, its admins and root admins.',
    method: 'POST',
    path: '/rooms/set-message-preference',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ roomId: RoomId, messagePreference: RoomPreference }),
    answer: PreferencesAnswer,
  }),
  setMediaPreference: route({
    description: 'Sets who may send media to a room. For its owner, its admins and root admins.',
    method: 'POST',
    path: '/rooms/set-media-preference',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ roomId: RoomId, mediaPreference: RoomPreference }),
    answer: PreferencesAnswer,
  }),
}
