import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { ADMIN_NOT_ADDED, ADMIN_NOT_REMOVED } from '../../../shared/room-management/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'

/** Makes the user with this name an admin of the room. Returns an error text in Turkish, or null. */
export async function addRoomAdmin(roomId: RoomId, username: string): Promise<string | null> {
  const found = await callApi<'userByName'>(`/users/username/${encodeURIComponent(username)}`, { as: 'user' })
  if (found instanceof Refusal && found.body.code === 'NotFound') return USER_NOT_FOUND_TEXT
  if (isFailure(found)) return failureText(found, ADMIN_NOT_ADDED)
  const body = { roomId, userId: found.user.id }
  const added = await callApi<'addRoomAdmin'>('/rooms/add-admin', { as: 'user', body })
  return isFailure(added) ? failureText(added, ADMIN_NOT_ADDED) : null
}

/** Ends the rights of an admin. Returns whether it succeeded; a failure is shown in a toast. */
export async function removeRoomAdmin(roomId: RoomId, userId: UserId): Promise<boolean> {
  const answer = await callApi<'removeRoomAdmin'>('/rooms/remove-admin', { as: 'user', body: { roomId, userId } })
  return !toastIfFailed(answer, ADMIN_NOT_REMOVED)
}
