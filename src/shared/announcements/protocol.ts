import * as v from 'valibot'
import { idText, route, Text } from '../protocol/define.ts'
import { RoomId } from '../protocol/ids.ts'
import { MAX_POPUP_LENGTH } from '../site-status/limits.ts'
import { ROOM_POPUP_LIMIT } from './limits.ts'

export const routes = {
  sendRoomPopup: route({
    description:
      'Shows a popup to the users of a room, in every region; at most one a minute. For its owner, its admins and root ' +
      'admins. `message` is reduced to simple formatting and links. The picture is encoded as WebP, without metadata; ' +
      'without one, the message must not be empty.',
    method: 'POST',
    path: '/rooms/send-popup',
    access: 'member',
    limiter: ROOM_POPUP_LIMIT,
    retry: 'idempotencyKey',
    // As JSON, or as text in a form.
    input: v.object({
      roomId: v.union([RoomId, idText(RoomId)]),
      message: v.optional(v.pipe(Text(MAX_POPUP_LENGTH), v.trim()), ''),
    }),
    answer: v.object({ success: v.literal(true) }),
    fileFields: ['image'],
  }),
}
