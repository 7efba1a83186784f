import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { BanDuration, BanReason } from '../moderation/protocol.ts'
import { idText, loggedEvent, route, Time } from '../protocol/define.ts'
import { RestrictionId, RoomId, UserId } from '../protocol/ids.ts'
import { ROOM_CHANGE_LIMIT } from './limits.ts'

/** A ban from a room as its staff sees it. */
export const RoomBan = v.object({
  id: RestrictionId,
  roomId: RoomId,
  userId: UserId,
  username: v.string(),
  isGuest: v.boolean(),
  duration: BanDuration,
  banReason: BanReason,
  /** The name of the one who banned. */
  bannedBy: v.string(),
  at: Time,
  /** null: until it is lifted. */
  endsAt: v.nullable(Time),
})
export type RoomBan = v.InferOutput<typeof RoomBan>

/** The most bans of one answer. */
export const ROOM_BANS_PER_PAGE = 50

export const events = {
  bannedNotification: loggedEvent({
    description:
      'The user is banned from a room, and is out of it; `message` says why and until when, in Turkish. Sent to the user only.',
    payload: v.object({
      roomId: RoomId,
      roomName: v.string(),
      message: v.string(),
      banReason: BanReason,
      duration: BanDuration,
      endsAt: v.nullable(Time),
    }),
  }),
  userRoomBanned: loggedEvent({
    description: 'A user was banned from the room; to the others in it.',
    payload: v.object({ roomId: RoomId, userId: UserId, username: v.string() }),
  }),
}

export const routes = {
  banFromRoom: route({
    description:
      'Bans a user from a room, for its owner, its admins and root admins: they are out of it in every region, and their ' +
      'messages there are removed. The staff of the room and root admins cannot be banned. A further ban replaces the terms.',
    method: 'POST',
    path: '/rooms/:id/ban',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId), username: NameInput, duration: BanDuration, banReason: BanReason }),
    answer: v.object({ success: v.literal(true), ban: RoomBan }),
  }),
  roomBannedUsers: route({
    description:
      `The present bans of a room, the latest first, ${ROOM_BANS_PER_PAGE} at a time; \`next\` is the \`before\` of the next ` +
      'page, null on the last one. For its owner, its admins and root admins.',
    method: 'GET',
    path: '/rooms/:id/banned-users',
    access: 'member',
    limiter: null,
    input: v.object({ id: idText(RoomId), before: v.optional(idText(RestrictionId)) }),
    answer: v.object({ success: v.literal(true), bannedUsers: v.array(RoomBan), next: v.nullable(RestrictionId) }),
  }),
  liftRoomBan: route({
    description: 'Lifts the bans from a room of every user who has or had this name.',
    method: 'POST',
    path: '/rooms/:id/lift-ban/:username',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: idText(RoomId), username: NameInput }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { RoomBan }
