import type { Ban, BanDuration, BanKind, BanReason } from '../../../shared/moderation/protocol.ts'
import {
  BAN_FAILED,
  BANNED_USERS_NOT_LOADED,
  banDoneText,
  banLiftedText,
  CLEAR_ROOM_FAILED,
  GHOST_BAN_FAILED,
  GHOST_BAN_REASON,
  ghostBanDoneText,
  LIFT_BAN_FAILED,
} from '../../../shared/moderation/rules.ts'
import type { CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { confirmPassword } from '../../core/admin/confirm-password.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import type { Outcome } from '../../core/live/socket.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'

interface BanRequest {
  username: string
  duration: BanDuration
  banReason: BanReason
}

/** The bans, the latest first. */
export const banList = new LiveList<Ban, number>({
  failureText: () => BANNED_USERS_NOT_LOADED,
  fetchPage: async (before) => {
    const answer = await callApi<'bannedUsers'>(`/users/banned-users${pageQuery(before)}`, { as: 'admin' })
    return isFailure(answer) ? answer : { items: answer.bannedUsers, next: answer.next }
  },
})

/** Changes since the page was loaded: whether a user, by id, is banned from the site, and ghost-banned. */
const knownBans: Record<BanKind, Map<UserId, boolean>> = { site: new Map(), ghost: new Map() }

live.on('userBanned', applyBan)
live.on('banLifted', ({ userId }) => applyBanLift(userId, 'site'))
live.on('ghostBanned', applyBan)
live.on('ghostBanLifted', ({ userId }) => applyBanLift(userId, 'ghost'))

/** Whether a user is banned from the site: by the latest event of this tab, else by the profile that was loaded. */
export function isBanned({ id, isBanned: loaded = false }: { id: UserId; isBanned?: boolean | undefined }): boolean {
  return knownBans.site.get(id) ?? loaded
}

/** The same for a ghost ban. */
export function isGhostBanned({ id, isGhost = false }: { id: UserId; isGhost?: boolean | undefined }): boolean {
  return knownBans.ghost.get(id) ?? isGhost
}

/** Bans a user and shows the result in a toast. Returns whether it succeeded. */
export async function requestBan(terms: BanRequest): Promise<boolean> {
  const answer = await callApi<'banUser'>('/users/ban', { as: 'admin', body: terms })
  if (toastIfFailed(answer, BAN_FAILED)) return false
  applyBan(answer.ban)
  void toast(banDoneText(answer.ban.username, terms.duration), 'success')
  return true
}

/** Ghost-bans a guest and shows the result in a toast. Returns whether it succeeded. */
export async function requestGhostBan(
  guest: { id: UserId; username: string },
  duration: BanDuration,
): Promise<boolean> {
  const answer = await requestAsAdmin('ghostBanGuest', {
    username: guest.username,
    targetUserId: guest.id,
    banDuration: duration,
    banReason: GHOST_BAN_REASON,
    isGuest: true,
    clientId: crypto.randomUUID(),
  })
  if (toastIfFailed(answer, GHOST_BAN_FAILED)) return false
  applyBan(answer.ban)
  void toast(ghostBanDoneText(guest.username, duration), 'success')
  return true
}

/** Lifts the bans of this name and shows the result in a toast. Returns whether it succeeded. */
export async function requestBanLift({ id, username }: { id: UserId; username: string }): Promise<boolean> {
  const path = `/users/lift-ban/${encodeURIComponent(username)}`
  const answer = await callApi<'liftBan'>(path, { as: 'admin', body: {} })
  if (toastIfFailed(answer, LIFT_BAN_FAILED)) return false
  applyBanLift(id, 'site')
  applyBanLift(id, 'ghost')
  void toast(banLiftedText(username), 'success')
  return true
}

/** Removes all messages of a room. Returns whether it succeeded; a failure is shown in a toast. */
export async function clearRoom(roomId: RoomId): Promise<boolean> {
  return !toastIfFailed(await live.request('clearRoomMessages', { roomId }), CLEAR_ROOM_FAILED)
}

function applyBan(ban: Ban): void {
  knownBans[ban.kind].set(ban.userId, true)
  banList.change((list) => ({ ...list, items: [ban, ...list.items.filter((other) => !isSameBan(other, ban))] }))
}

function applyBanLift(userId: UserId, kind: BanKind): void {
  knownBans[kind].set(userId, false)
  banList.remove((ban) => isSameBan(ban, { userId, kind }))
}

/** A user has one ban of each kind. */
function isSameBan(one: Pick<Ban, 'userId' | 'kind'>, other: Pick<Ban, 'userId' | 'kind'>): boolean {
  return one.userId === other.userId && one.kind === other.kind
}

/** Sends a command of root admins; if the server asks for the password, asks the user and repeats the command once. */
async function requestAsAdmin<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
  const outcome = await live.request(name, input)
  const isPasswordRequired = outcome instanceof Refusal && outcome.body.code === 'PasswordRequired'
  // The new token is sent to the server before the repeated command (live/state.ts).
  return isPasswordRequired && (await confirmPassword()) ? live.request(name, input) : outcome
}
