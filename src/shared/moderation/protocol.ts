import * as v from 'valibot'
import { AnyName } from '../accounts/protocol.ts'
import { ClientId, command, event, Id, IdText, route, Text, Time } from '../protocol/define.ts'
import { CloseCode } from '../protocol/frame.ts'

/** Specification 1, point 9. */
export const BanDuration = v.picklist(['10min', '1hr', 'indefinite'])
export type BanDuration = v.InferOutput<typeof BanDuration>

/** Specification 1, point 9. */
export const BanReason = v.picklist(['Uygunsuz Mesaj', 'Uygunsuz Nickname', 'Uygunsuz Fotoğraf', 'Diğer'])
export type BanReason = v.InferOutput<typeof BanReason>

/** A ban as root admins see it. */
export const Ban = v.object({
  id: Id,
  userId: Id,
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

const Done = v.object({ success: v.literal(true) })
const Banned = v.object({ success: v.literal(true), ban: Ban })

export const commands = {
  banUser: command({
    about:
      'Bans somebody from the whole site, as `POST /users/ban` does: their sessions end in every region, and their ' +
      'messages go. Neither oneself nor a root admin can be banned. Banned again, the new terms count.',
    access: 'rootadmin',
    writes: true,
    saysWho: ['banningUser'],
    input: v.object({
      targetname: AnyName,
      /** Whose name it has to be, where it is given. */
      targetUserId: v.optional(Id),
      duration: BanDuration,
      banReason: BanReason,
      banningUser: v.optional(Text(64)),
      clientId: v.optional(ClientId),
    }),
    answer: Banned,
  }),
  clearRoomMessages: command({
    about: 'Takes everything away that was said in a room until now: there, in its history and in its search.',
    access: 'rootadmin',
    writes: true,
    input: v.object({ roomId: Id, clientId: v.optional(ClientId) }),
    answer: Done,
  }),
}

export const events = {
  clearMessages: event({
    about: 'Everything that was said in the room so far is gone.',
    kept: true,
    payload: v.object({ roomId: Id }),
  }),
  removeBannedMessages: event({
    about: 'What this person said in the room is gone, in quotes too.',
    kept: true,
    payload: v.object({ roomId: Id, userId: Id, username: v.string() }),
  }),
  systemBannedNotification: event({
    about:
      'The person is banned from the site; `message` says why and until when, in Turkish. `forceDisconnect` follows, ' +
      'and the connection closes with 4403.',
    kept: true,
    turnsCloseInto: CloseCode.banned,
    payload: v.object({
      message: v.string(),
      banReason: BanReason,
      duration: BanDuration,
      endsAt: v.nullable(Time),
    }),
  }),
  userBanned: event({ about: 'Somebody was banned from the site; for root admins.', kept: true, payload: Ban }),
  banLifted: event({
    about: "Somebody's ban was lifted; for root admins.",
    kept: true,
    payload: v.object({ userId: Id, username: v.string() }),
  }),
  serverMaintenance: event({
    about:
      'The site is under maintenance from now on, or no more. Until then everything is refused with `Maintenance`, ' +
      'to all but root admins.',
    kept: true,
    payload: v.object({ isOn: v.boolean(), message: v.string() }),
  }),
}

export const routes = {
  banUser: route({
    about: 'Bans somebody from the whole site.',
    method: 'POST',
    path: '/users/ban',
    access: 'rootadmin',
    input: v.object({ username: AnyName, duration: BanDuration, banReason: BanReason }),
    answer: Banned,
  }),
  liftBan: route({
    about: 'Lifts the ban of whoever has, or had, this name.',
    method: 'POST',
    path: '/users/lift-ban/:username',
    access: 'rootadmin',
    input: v.object({ username: AnyName }),
    answer: Done,
  }),
  bannedUsers: route({
    about: `Who is banned from the site now, the latest first, ${BANS_PER_PAGE} at a time; \`next\`, where there is one, is the \`before\` that goes on.`,
    method: 'GET',
    path: '/users/banned-users',
    access: 'rootadmin',
    input: v.object({ before: v.optional(IdText) }),
    answer: v.object({ success: v.literal(true), bannedUsers: v.array(Ban), next: v.nullable(Id) }),
  }),
}
