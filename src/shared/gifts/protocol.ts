import * as v from 'valibot'
import { ClientId, Count, Cursor, command, idText, loggedEvent, route, Time } from '../protocol/define.ts'
import { GiftId, GiftKindId, RoomId, UserId } from '../protocol/ids.ts'
import { Lira } from '../wallet/lira.ts'
import { OPTION_CHANGE_LIMIT } from '../wallet/options/limits.ts'
import { OptionLira } from '../wallet/options/lira.ts'
import { OptionStatus } from '../wallet/options/protocol.ts'
import { GIFT_LIMIT } from './limits.ts'

const giftKindFields = { price: OptionLira, status: OptionStatus }
/** A gift of the catalogue. `drawing` names its picture: `/drawings/gifts/{drawing}.svg`. */
export const GiftKind = v.object({ id: GiftKindId, name: v.string(), drawing: v.string(), ...giftKindFields })
export type GiftKind = v.InferOutput<typeof GiftKind>

/** How many gifts of a kind a user has received. */
export const ReceivedGift = v.object({ ...v.pick(GiftKind, ['id', 'name', 'drawing']).entries, count: Count })
export type ReceivedGift = v.InferOutput<typeof ReceivedGift>

/** The part of a price that the recipient gets, in percent. */
const SharePercent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100, 'Pay %0 ile %100 arasında olmalı.'))

/** A gift that was given. */
const Gift = v.object({
  id: GiftId,
  giftKindId: GiftKindId,
  name: v.string(),
  drawing: v.string(),
  senderId: UserId,
  senderUsername: v.string(),
  recipientId: UserId,
  recipientUsername: v.string(),
  createdAt: Time,
})

export const commands = {
  sendGift: command({
    description:
      'Gives a gift of the catalogue to a member and pays for it. With the `roomId` of the room that the sender is in, ' +
      'that room sees it if the recipient is there too. `price` is the price in lira that the sender was shown: with ' +
      'another one it is refused with `PriceChanged`.',
    access: 'member',
    limiter: GIFT_LIMIT,
    retry: 'clientId',
    input: v.object({
      giftKindId: GiftKindId,
      recipientId: UserId,
      roomId: v.optional(RoomId),
      price: v.optional(Lira),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), giftId: GiftId }),
  }),
}

export const events = {
  giftSent: loggedEvent({
    description: 'A user of the room has given a gift to another one; to the users of the room.',
    hiddenByBlock: true,
    payload: v.object({ ...Gift.entries, roomId: RoomId }),
  }),
  giftReceived: loggedEvent({
    description: "The user has received a gift; to the recipient's own connections. `amount` is their part in lira.",
    hiddenByBlock: true,
    payload: v.object({ ...Gift.entries, roomId: v.nullable(RoomId), amount: Lira }),
  }),
  giftKindUpdated: loggedEvent({
    description: 'A gift of the catalogue has another price, or cannot be given any more (`inactive`).',
    payload: GiftKind,
  }),
  giftShareUpdated: loggedEvent({
    description: 'The recipients of gifts get another part of the price, in percent; to root admins.',
    payload: v.object({ sharePercent: SharePercent }),
  }),
}

const editing = {
  access: 'rootadmin',
  limiter: OPTION_CHANGE_LIMIT,
  retry: 'idempotencyKey',
} as const

export const routes = {
  gifts: route({
    description: 'The gifts that can be given, the cheapest first. `price` is in lira.',
    method: 'GET',
    path: '/gifts',
    access: 'signedIn',
    input: v.object({}),
    answer: v.array(GiftKind),
  }),
  allGifts: route({
    ...editing,
    description: 'The catalogue of gifts, with inactive ones.',
    limiter: null,
    retry: 'none',
    method: 'GET',
    path: '/root-admin/gifts',
    input: v.object({}),
    answer: v.array(GiftKind),
  }),
  updateGift: route({
    ...editing,
    description: 'Changes the price of a gift, or whether it can be given. Gifts that were given keep theirs.',
    method: 'PUT',
    path: '/root-admin/gifts/:id',
    input: v.object({ id: idText(GiftKindId), ...giftKindFields }),
    answer: v.object({ success: v.literal(true), gift: GiftKind }),
  }),
  giftShare: route({
    ...editing,
    description: 'The part of the price that the recipient of a gift gets, in percent.',
    limiter: null,
    retry: 'none',
    method: 'GET',
    path: '/root-admin/gift-share',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), sharePercent: SharePercent }),
  }),
  setGiftShare: route({
    ...editing,
    description: 'Sets the part of the price that the recipient of a gift gets; the rest is income.',
    method: 'PUT',
    path: '/root-admin/gift-share',
    input: v.object({ sharePercent: SharePercent }),
    answer: v.object({ success: v.literal(true), sharePercent: SharePercent }),
  }),
}

/** What a profile has of gifts: the counts by kind up to the latest gift that they include, 0 without one. */
export const ProfileGifts = v.object({ received: v.array(ReceivedGift), latestId: Cursor })
export type ProfileGifts = v.InferOutput<typeof ProfileGifts>

/** Schemas that documents describe once, by name. */
export const entities = { GiftKind, ReceivedGift }
