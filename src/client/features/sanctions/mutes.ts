import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { MuteId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import {
  LIFT_MUTE_FAILED,
  MUTE_FAILED,
  MUTES_NOT_LOADED,
  muteDoneText,
  muteLiftedText,
} from '../../../shared/sanctions/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

/** The mutes of the open list, the latest first; null before the first page. `roomId` null: of all places. */
export const muteList = signal<PagedItems<Mute, MuteId> | null>(null)
let listedRoomId: RoomId | null = null

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
  muteList.value = null
}

/** Loads the first page of the open list (null), or the page before a mute. Returns an error text in Turkish, or null. */
export async function loadMutes(before: MuteId | null): Promise<string | null> {
  const roomId = listedRoomId
  const answer =
    roomId === null
      ? await callApi<'mutedUsers'>(`/users/muted-users${pageQuery(before)}`, { as: 'admin' })
      : await callApi<'roomMutedUsers'>(`/rooms/${roomId}/muted-users${pageQuery(before)}`, { as: 'user' })
  if (roomId !== listedRoomId) return null
  if (isFailure(answer)) return MUTES_NOT_LOADED
  muteList.value = mergePage(muteList.peek(), before, { items: answer.mutedUsers, next: answer.next })
  return null
}

function applyMute(mute: Mute): void {
  knownMutes.set(placeKey(mute.userId, mute.roomId), true)
  const isListed = listedRoomId === null || listedRoomId === mute.roomId
  updateList((mutes) => {
    const others = mutes.filter((other) => !isSamePlace(other, mute))
    return isListed ? [mute, ...others] : others
  })
}

function applyLift(lifted: { userId: UserId; roomId: RoomId | null }): void {
  knownMutes.set(placeKey(lifted.userId, lifted.roomId), false)
  updateList((mutes) => mutes.filter((mute) => !isSamePlace(mute, lifted)))
}

function updateList(update: (mutes: readonly Mute[]) => readonly Mute[]): void {
  const known = muteList.peek()
  if (known) muteList.value = { ...known, items: update(known.items) }
}

type Place = Pick<Mute, 'userId' | 'roomId'>

function isSamePlace(one: Place, other: Place): boolean {
  return one.userId === other.userId && one.roomId === other.roomId
}

function placeKey(userId: UserId, roomId: RoomId | null): string {
  return `${userId} ${roomId ?? 'site'}`
}
