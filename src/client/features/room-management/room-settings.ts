import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { BACKGROUND_NOT_SAVED, GREETING_NOT_SAVED, SLOW_MODE_NOT_SAVED } from '../../../shared/room-management/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'

/** Saves the greeting of a room. Returns whether it succeeded; a failure is shown in a toast. */
export async function saveGreeting(roomId: RoomId, greetingMessage: string): Promise<boolean> {
  const path = `/rooms/${roomId}/greeting-message`
  const call = { as: 'user', method: 'PUT', body: { greetingMessage } } as const
  return !toastIfFailed(await callApi<'setGreetingMessage'>(path, call), GREETING_NOT_SAVED)
}

/** Saves the slow mode of a room. Returns whether it succeeded; a failure is shown in a toast. */
export async function saveSlowMode(roomId: RoomId, slowModeSeconds: number): Promise<boolean> {
  const body = { roomId, slowModeSeconds }
  return !toastIfFailed(await callApi<'setSlowMode'>('/rooms/set-slow-mode', { as: 'user', body }), SLOW_MODE_NOT_SAVED)
}

/** Uploads the background of a room. Returns an error text in Turkish, or null. */
export async function saveBackground(roomId: RoomId, file: File): Promise<string | null> {
  const body = new FormData()
  body.set('backgroundImage', file)
  const call = { as: 'user', method: 'PUT', body } as const
  return reasonOf(await callApi<'setBackground'>(`/rooms/${roomId}/background`, call))
}

/** Removes the background of a room. Returns an error text in Turkish, or null. */
export async function removeBackground(roomId: RoomId): Promise<string | null> {
  const call = { as: 'user', method: 'DELETE' } as const
  return reasonOf(await callApi<'removeBackground'>(`/rooms/${roomId}/background`, call))
}

function reasonOf(answer: object | string): string | null {
  return isFailure<object | string | Refusal>(answer) ? failureText(answer, BACKGROUND_NOT_SAVED) : null
}
