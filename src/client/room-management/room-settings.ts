import type { RoomId } from '../../shared/protocol/ids.ts'
import { GREETING_NOT_SAVED, SLOW_MODE_NOT_SAVED } from '../../shared/room-management/texts.ts'
import { callApi } from '../http/call-api.ts'
import { toastIfFailed } from '../shell/toasts/toast-failure.ts'

/** Saves the greeting of a room. Answers whether it succeeded; a failure is shown in a toast. */
export async function saveGreeting(roomId: RoomId, greetingMessage: string): Promise<boolean> {
  const path = `/rooms/${roomId}/greeting-message`
  const call = { as: 'user', method: 'PUT', body: { greetingMessage } } as const
  return !toastIfFailed(await callApi<'setGreetingMessage'>(path, call), GREETING_NOT_SAVED)
}

/** Saves the slow mode of a room. Answers whether it succeeded; a failure is shown in a toast. */
export async function saveSlowMode(roomId: RoomId, slowModeSeconds: number): Promise<boolean> {
  const body = { roomId, slowModeSeconds }
  return !toastIfFailed(await callApi<'setSlowMode'>('/rooms/set-slow-mode', { as: 'user', body }), SLOW_MODE_NOT_SAVED)
}
