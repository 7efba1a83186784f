import {
  BAN_FAILED,
  BANNED_USERS_NOT_LOADED,
  banLiftedText,
  LIFT_BAN_FAILED,
} from '../../../shared/moderation/rules.ts'
import type { RoomBanId, RoomId } from '../../../shared/protocol/ids.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { roomBanDoneText } from '../../../shared/room-access/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

/** The bans of the room whose list is open, the latest first; null before the first page. */
export const roomBanList = signal<PagedItems<RoomBan, RoomBanId> | null>(null)

/** Bans a user from a room and shows the result in a toast. Returns whether it succeeded. */
export async function requestRoomBan(
  roomId: RoomId,
  terms: Pick<RoomBan, 'username' | 'duration' | 'banReason'>,
): Promise<boolean> {
  const answer = await callApi<'banFromRoom'>(`/rooms/${roomId}/ban`, { as: 'user', body: terms })
  if (toastIfFailed(answer, BAN_FAILED)) return false
  void toast(roomBanDoneText(answer.ban.username, terms.duration), 'success')
  return true
}

/** Lifts the bans of this name from a room and shows the result in a toast. Returns whether it succeeded. */
export async function requestRoomBanLift({ roomId, username, userId }: RoomBan): Promise<boolean> {
  const path = `/rooms/${roomId}/lift-ban/${encodeURIComponent(username)}`
  const answer = await callApi<'liftRoomBan'>(path, { as: 'user', body: {} })
  if (toastIfFailed(answer, LIFT_BAN_FAILED)) return false
  const known = roomBanList.peek()
  if (known) roomBanList.value = { ...known, items: known.items.filter((ban) => ban.userId !== userId) }
  void toast(banLiftedText(username), 'success')
  return true
}

/** Loads the first page of a room's bans (null), or the page before a ban. Returns an error text in Turkish, or null. */
export async function loadRoomBans(roomId: RoomId, before: RoomBanId | null): Promise<string | null> {
  const path = `/rooms/${roomId}/banned-users${pageQuery(before)}`
  const answer = await callApi<'roomBannedUsers'>(path, { as: 'user' })
  if (isFailure(answer)) return BANNED_USERS_NOT_LOADED
  roomBanList.value = mergePage(roomBanList.peek(), before, { items: answer.bannedUsers, next: answer.next })
  return null
}
