import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { ClientId, command, idText, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { CloseCode } from '../protocol/frame.ts'
import { BanId, RoomId, UserId } from '../protocol/ids.ts'
import { BAN_REASON_NAMES } from './rules.ts'

/** Specification 1, point 9. */
export const BanDuration = v.picklist(['10min', '1hr', 'indefinite'])
export type BanDuration = v.InferOutput<typeof BanDuration>

/** Specification 1, point 9. */
export const BanReason = v.picklist(BAN_REASON_NAMES)
export type BanReason = v.InferOutput<typeof BanReason>

/** A ban as root admins see it. */
export const Ban = v.object({
  id: BanId,
  userId: UserId,
  username: v.string(),
  isGuest: v.boolean(),
  duration: BanDuration,
  banReason: BanReason,
  /** The name of who banned. */
  bannedBy: v.string(),
  at: Time,
  /** null: until it is lifted. */
  endsAt: v.nullable(Time),
})
export type Ban = v.InferOutput<typeof Ban>

/** How many bans one answer lists. */
export const BANS_PER_PAGE = 50

const SuccessAnswer = v.object({ success: v.literal(true) })
const BanAnswer = v.object({ success: v.literal(true), ban: Ban })

export const commands = {
  banUser: command({
    description:
      'Bans somebody from the whole site, as `POST /users/ban` does: their sessions end in every region, and their ' +
      'messages go. Neither oneself nor a root admin can be banned. Banned again, the new terms count.',
    access: 'rootadmin',
    limiter: null,
    identityFields: ['banningUser'],
    retry: 'clientId',
    input: v.object({
      targetname: NameInput,
      /** Whose name it has to be, where it is given. */
      targetUserId: v.optional(UserId),
      duration: BanDuration,
      banReason: BanReason,
      banningUser: v.optional(Text(64)),
      clientId: v.optional(ClientId),
    }),
    answer: BanAnswer,
  }),
  clearRoomMessages: command({
    description: 'Takes everything away that was said in a room until now: there, in its history and in its search.',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'clientId',
    input: v.object({ roomId: RoomId, clientId: v.optional(ClientId) }),
    answer: SuccessAnswer,
  }),
}

export const events = {
  clearMessages: loggedEvent({
    description: 'Everything that was said in the room so far is gone.',
    hiddenByBlock: false,
    effect: 'retracts',
    payload: v.object({ roomId: RoomId }),
  }),
  removeBannedMessages: loggedEvent({
    description: 'What this person said in the room is gone, in quotes too.',
    hiddenByBlock: false,
    effect: 'retracts',
    payload: v.object({ roomId: RoomId, userId: UserId, username: v.string() }),
  }),
  systemBannedNotification: loggedEvent({
    description:
      'The person is banned from the site; `message` says why and until when, in Turkish. `forceDisconnect` follows, ' +
      'and the connection closes with 4403.',
    hiddenByBlock: false,
    effect: { overridesCloseCode: CloseCode.banned },
    payload: v.object({
      message: v.string(),
      banReason: BanReason,
      duration: BanDuration,
      endsAt: v.nullable(Time),
    }),
  }),
  userBanned: loggedEvent({
    description: 'Somebody was banned from the site; for root admins.',
    hiddenByBlock: false,
    effect: 'none',
    payload: Ban,
  }),
  banLifted: loggedEvent({
    description: "Somebody's ban was lifted; for root admins.",
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ userId: UserId, username: v.string() }),
  }),
  serverMaintenance: loggedEvent({
    description:
      'The site is under maintenance from now on, or no more. Until then everything is refused with `Maintenance`, ' +
      'to all but root admins.',
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ isOn: v.boolean(), message: v.string() }),
  }),
}

export const routes = {
  banUser: route({
    description: 'Bans somebody from the whole site.',
    method: 'POST',
    path: '/users/ban',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput, duration: BanDuration, banReason: BanReason }),
    answer: BanAnswer,
  }),
  liftBan: route({
    description: 'Lifts the ban of whoever has, or had, this name.',
    method: 'POST',
    path: '/users/lift-ban/:username',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
  bannedUsers: route({
    description: `Who is banned from the site now, the latest first, ${BANS_PER_PAGE} at a time; \`next\`, where there is one, is the \`before\` that goes on.`,
    method: 'GET',
    path: '/users/banned-users',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ before: v.optional(idText(BanId)) }),
    answer: v.object({ success: v.literal(true), bannedUsers: v.array(Ban), next: v.nullable(BanId) }),
  }),
}

type OwnCommands = typeof commands
type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Commands extends OwnCommands {}
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
