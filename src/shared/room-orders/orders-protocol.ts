import * as v from 'valibot'
import { idText, route, Text } from '../protocol/define.ts'
import { CapacityOptionId, DurationOptionId, RoomId } from '../protocol/ids.ts'
import { Room } from '../rooms/protocol.ts'
import { RoomName } from './room-name.ts'
import { ROOM_NAME_LIMIT, ROOM_ORDER_LIMIT, ShownPrice } from './room-order.ts'
import { ORDER_FIELDS_MISSING } from './texts.ts'

const purchase = {
  method: 'POST',
  access: 'member',
  limiter: ROOM_ORDER_LIMIT,
  retry: 'idempotencyKey',
  answer: v.object({ success: v.literal(true), room: Room }),
} as const

export const routes = {
  isRoomNameFree: route({
    description: 'Whether a room could be ordered under this name.',
    method: 'GET',
    path: '/rooms/is-name-free/:name',
    access: 'member',
    limiter: ROOM_NAME_LIMIT,
    input: v.object({ name: v.pipe(Text(128), v.trim(), v.minLength(1)) }),
    answer: v.object({ success: v.literal(true), isFree: v.boolean() }),
  }),
  orderRoom: route({
    ...purchase,
    description:
      'Orders a room for the price of its options, plus 10 lira if it is listed. `price` is that which was shown, in ' +
      'lira: when it is another one now, PriceChanged has it and nothing is charged.',
    path: '/rooms',
    input: v.object(
      {
        name: RoomName,
        capacityOptionId: CapacityOptionId,
        durationOptionId: DurationOptionId,
        isList: v.optional(v.boolean(), true),
        price: ShownPrice,
      },
      ORDER_FIELDS_MISSING,
    ),
  }),
  renewRoom: route({
    ...purchase,
    description:
      'Renews a room of the caller, from 7 days before its expiry on, also after it was deactivated. `capacityId` and ' +
      '`durationId` are other names of the option ids; `roomId` must be that of the path. `price` as in an order.',
    path: '/rooms/:id/renew',
    input: v.object({
      id: idText(RoomId),
      roomId: v.optional(RoomId),
      capacityOptionId: v.optional(CapacityOptionId),
      capacityId: v.optional(CapacityOptionId),
      durationOptionId: v.optional(DurationOptionId),
      durationId: v.optional(DurationOptionId),
      price: ShownPrice,
    }),
  }),
}
