import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { ClientId, command, idText, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { CloseCode } from '../protocol/frame.ts'
import { RestrictionId, RoomId, UserId } from '../protocol/ids.ts'
import { ROOM_CHANGE_LIMIT } from '../room-access/limits.ts'
import { BAN_REASON_NAMES, GHOST_BAN_REASON } from './rules.ts'

/** Specification 1, point 9. */
export const BanDuration = v.picklist(['10min', '1hr', 'indefinite'])
export type BanDuration = v.InferOutput<typeof BanDuration>

/** Specification 1, point 9. */
export const BanReason = v.picklist(BAN_REASON_NAMES)
export type BanReason = v.InferOutput<typeof BanReason>

/** The reason that a ban is stored with: a ghost ban has only one (specification 1, point 9). */
export const StoredBanReason = v.picklist([...BAN_REASON_NAMES, GHOST_BAN_REASON])
export type StoredBanReason = v.InferOutput<typeof StoredBanReason>

/** `site`: refused everywhere. `ghost`: a guest whom everybody but root admins takes for gone. */
export const BanKind = v.picklist(['site', 'ghost'])
export type BanKind = v.InferOutput<typeof BanKind>

/** A ban as root admins see it. */
export const Ban = v.object({
  id: RestrictionId,
  kind: BanKind,
  userId: UserId,
  username: v.string(),
  isGuest: v.boolean(),
  duration: BanDuration,
  banReason: StoredBanReason,
  /** The name of the root admin who banned. */
  bannedBy: v.string(),
  at: Time,
  /** null: until it is lifted. */
  endsAt: v.nullable(Time),
})
export type Ban = v.InferOutput<typeof Ban>

/** The most bans of one answer. */
export const BANS_PER_PAGE = 50

const SuccessAnswer = v.object({ success: v.literal(true) })
const BanAnswer = v.object({ success: v.literal(true), ban: Ban })

export const commands = {
  banUser: command({
    description:
      'Bans a user from the whole site, as `POST /users/ban` does: their sessions end in every region, and their ' +
      'messages are removed. The sender and root admins cannot be banned. A further ban replaces the terms.',
    access: 'rootadmin',
    limiter: null,
    identityFields: ['banningUser'],
    retry: 'clientId',
    input: v.object({
      targetname: NameInput,
      /** If given, the ban is refused unless this user has the name. */
      targetUserId: v.optional(UserId),
      duration: BanDuration,
      banReason: BanReason,
      banningUser: v.optional(Text(64)),
      clientId: v.optional(ClientId),
    }),
    answer: BanAnswer,
  }),
  clearRoomMessages: command({
    description:
      'Removes all present messages of a room, from its history and its search too. For root admins, its owner and its admins.',
    access: 'member',
    limiter: ROOM_CHANGE_LIMIT,
    retry: 'clientId',
    input: v.object({ roomId: RoomId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
  ghostBanGuest: command({
    description:
      'Ghost-bans a guest: from now on everybody but root admins takes the guest for one who has left, and the guest ' +
      'notices nothing. It covers later guests from the same browser or address. A further one replaces the duration.',
    access: 'rootadmin',
    limiter: null,
    retry: 'clientId',
    input: v.object({
      username: NameInput,
      /** If given, the ban is refused unless this user has the name. */
      targetUserId: v.optional(UserId),
      banDuration: BanDuration,
      banReason: v.optional(v.literal(GHOST_BAN_REASON)),
      /** A member cannot be ghost-banned. */
      isGuest: v.boolean(),
      clientId: v.optional(ClientId),
    }),
    answer: BanAnswer,
  }),
}

export const events = {
  clearMessages: loggedEvent({
    description: 'All messages of the room up to this event are removed.',
    effect: 'retracts',
    payload: v.object({ roomId: RoomId }),
  }),
  removeBannedMessages: loggedEvent({
    description: "This user's messages in the room are removed, in quotes too.",
    effect: 'retracts',
    payload: v.object({ roomId: RoomId, userId: UserId, username: v.string() }),
  }),
  systemBannedNotification: loggedEvent({
    description:
      'The user is banned from the site; `message` says why and until when, in Turkish. `forceDisconnect` follows, ' +
      'and the connection closes with 4403.',
    effect: { overridesCloseCode: CloseCode.banned },
    payload: v.object({
      message: v.string(),
      banReason: BanReason,
      duration: BanDuration,
      endsAt: v.nullable(Time),
    }),
  }),
  userBanned: loggedEvent({
    description: 'A user was banned from the site; for root admins.',
    payload: Ban,
  }),
  banLifted: loggedEvent({
    description: "A user's ban was lifted; for root admins.",
    payload: v.object({ userId: UserId, username: v.string() }),
  }),
  ghostBanned: loggedEvent({
    description: 'A user was ghost-banned, or came from the browser or address of one who is; for root admins.',
    payload: Ban,
  }),
  ghostBanLifted: loggedEvent({
    description: "A user's ghost ban was lifted or has ended; for root admins.",
    payload: v.object({ userId: UserId, username: v.string() }),
  }),
  serverMaintenance: loggedEvent({
    description:
      'Maintenance begins or ends. During maintenance every command and route is refused with `Maintenance`, except ' +
      'those of root admins.',
    payload: v.object({ isOn: v.boolean(), message: v.string() }),
  }),
}

export const routes = {
  banUser: route({
    description: 'Bans a user from the whole site.',
    method: 'POST',
    path: '/users/ban',
    access: 'rootadmin',
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput, duration: BanDuration, banReason: BanReason }),
    answer: BanAnswer,
  }),
  liftBan: route({
    description: 'Lifts the bans, ghost bans too, of every user who has or had this name.',
    method: 'POST',
    path: '/users/lift-ban/:username',
    access: 'rootadmin',
    limiter: null,
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
  bannedUsers: route({
    description: `The present bans, the latest first, ${BANS_PER_PAGE} at a time; \`next\` is the \`before\` of the next page, null on the last one.`,
    method: 'GET',
    path: '/users/banned-users',
    access: 'rootadmin',
    limiter: null,
    input: v.object({ before: v.optional(idText(RestrictionId)) }),
    answer: v.object({ success: v.literal(true), bannedUsers: v.array(Ban), next: v.nullable(RestrictionId) }),
  }),
}
