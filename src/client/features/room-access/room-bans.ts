import {
  BAN_FAILED,
  BANNED_USERS_NOT_LOADED,
  banLiftedText,
  LIFT_BAN_FAILED,
} from '../../../shared/moderation/rules.ts'
import type { RestrictionId, RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { roomBanDoneText } from '../../../shared/room-access/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'

type RoomBanList = LiveList<RoomBan, RestrictionId>

/** The bans of a room, the latest first. */
export function createRoomBanList(roomId: RoomId): RoomBanList {
  return new LiveList<RoomBan, RestrictionId>({
    failureText: () => BANNED_USERS_NOT_LOADED,
    fetchPage: async (before) => {
      const path = `/rooms/${roomId}/banned-users${pageQuery(before)}`
      const answer = await callApi<'roomBannedUsers'>(path, { as: 'user' })
      return isFailure(answer) ? answer : { items: answer.bannedUsers, next: answer.next }
    },
  })
}

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

/** Lifts the bans of a listed user from a room and shows the result in a toast. Returns whether it succeeded. */
export async function requestRoomBanLift(list: RoomBanList, { roomId, username, userId }: RoomBan): Promise<boolean> {
  const path = `/rooms/${roomId}/lift-ban/${encodeURIComponent(username)}`
  const answer = await callApi<'liftRoomBan'>(path, { as: 'user', body: {} })
  if (toastIfFailed(answer, LIFT_BAN_FAILED)) return false
  list.remove((ban) => ban.userId === userId)
  void toast(banLiftedText(username), 'success')
  return true
}
