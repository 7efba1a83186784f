import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { RestrictionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import {
  LIFT_MUTE_FAILED,
  MUTE_FAILED,
  MUTES_NOT_LOADED,
  muteDoneText,
  muteLiftedText,
} from '../../../shared/sanctions/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'

/** Whose mutes the open list has: those of one room, or of all places (null). */
let listedRoomId: RoomId | null = null

/** The mutes of the open list, the latest first. */
export const muteList = new LiveList<Mute, RestrictionId>({
  failureText: () => MUTES_NOT_LOADED,
  fetchPage: async (before) => {
    const answer =
      listedRoomId === null
        ? await callApi<'mutedUsers'>(`/users/muted-users${pageQuery(before)}`, { as: 'admin' })
        : await callApi<'roomMutedUsers'>(`/rooms/${listedRoomId}/muted-users${pageQuery(before)}`, { as: 'user' })
    return isFailure(answer) ? answer : { items: answer.mutedUsers, next: answer.next }
  },
})

/** Changes since a profile was loaded: whether a user is muted in a place, by `placeKey`. */
const knownMutes = new Map<string, boolean>()

live.on('userMuted', (mute) => applyMute(mute))
live.on('muteLifted', (lifted) => applyLift(lifted))

/** Whether a user is muted in a place: by the latest event of this tab, else by the profile that was loaded. */
export function isMutedIn(
  { id, mutedIn = [] }: { id: UserId; mutedIn?: readonly (RoomId | null)[] | undefined },
  roomId: RoomId | null,
): boolean {
  return knownMutes.get(placeKey(id, roomId)) ?? mutedIn.includes(roomId)
}

/** Mutes a user and shows the result in a toast. Returns whether it succeeded. */
export async function requestMute(terms: {
  username: string
  roomId: RoomId | null
  duration: BanDuration
  reason: string
}): Promise<boolean> {
  const { roomId, ...body } = terms
  const answer =
    roomId === null
      ? await callApi<'muteUser'>('/users/mute', { as: 'admin', body })
      : await callApi<'muteInRoom'>(`/rooms/${roomId}/mute`, { as: 'user', body })
  if (toastIfFailed(answer, MUTE_FAILED)) return false
  applyMute(answer.mute)
  void toast(muteDoneText(answer.mute.username, terms.duration), 'success')
  return true
}

/** Lifts the mutes of this name in a place and shows the result in a toast. Returns whether it succeeded. */
export async function requestMuteLift(target: {
  userId: UserId
  username: string
  roomId: RoomId | null
}): Promise<boolean> {
  const { userId, username, roomId } = target
  const name = encodeURIComponent(username)
  const answer =
    roomId === null
      ? await callApi<'liftMute'>(`/users/lift-mute/${name}`, { as: 'admin', body: {} })
      : await callApi<'liftRoomMute'>(`/rooms/${roomId}/lift-mute/${name}`, { as: 'user', body: {} })
  if (toastIfFailed(answer, LIFT_MUTE_FAILED)) return false
  applyLift({ userId, roomId })
  void toast(muteLiftedText(username), 'success')
  return true
}

/** Starts a list of all places (null) or of one room. */
export function openMuteList(roomId: RoomId | null): void {
  listedRoomId = roomId
  muteList.reset()
}

function applyMute(mute: Mute): void {
  knownMutes.set(placeKey(mute.userId, mute.roomId), true)
  const isListed = listedRoomId === null || listedRoomId === mute.roomId
  muteList.change((list) => {
    const others = list.items.filter((other) => !isSamePlace(other, mute))
    return { ...list, items: isListed ? [mute, ...others] : others }
  })
}

function applyLift(lifted: { userId: UserId; roomId: RoomId | null }): void {
  knownMutes.set(placeKey(lifted.userId, lifted.roomId), false)
  muteList.remove((mute) => isSamePlace(mute, lifted))
}

type Place = Pick<Mute, 'userId' | 'roomId'>

function isSamePlace(one: Place, other: Place): boolean {
  return one.userId === other.userId && one.roomId === other.roomId
}

function placeKey(userId: UserId, roomId: RoomId | null): string {
  return `${userId} ${roomId ?? 'site'}`
}
