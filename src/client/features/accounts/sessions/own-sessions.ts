import type { OwnSession } from '../../../../shared/accounts/sessions-protocol.ts'
import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'

/** Also shown below the list of sessions. */
export const NO_OTHER_SESSIONS = 'Başka oturum yok.'
const END_FAILED = 'Oturum kapatılamadı.'

/** The user's own sessions; null when the request failed. */
export async function loadOwnSessions(): Promise<OwnSession[] | null> {
  const answer = await callApi<'sessions'>('/users/sessions', { as: 'user' })
  return isFailure(answer) ? null : answer.sessions
}

/** Ends a session and shows the result in a toast. Returns whether it has ended, also if it had before. */
export async function endSession(sessionId: SessionId): Promise<boolean> {
  const answer = await callApi<'endSession'>('/users/sessions/end', { as: 'user', body: { sessionId } })
  const isGone = answer instanceof Refusal && answer.body.code === 'NotFound'
  if (!isGone && toastIfFailed(answer, END_FAILED)) return false
  void toast('Oturum kapatıldı.', 'success')
  return true
}

/** Ends all other sessions and shows the result in a toast. Returns whether it succeeded. */
export async function endOtherSessions(): Promise<boolean> {
  const answer = await callApi<'endOtherSessions'>('/users/sessions/end-others', { as: 'user', body: {} })
  if (toastIfFailed(answer, END_FAILED)) return false
  void toast(answer.ended === 0 ? NO_OTHER_SESSIONS : `${answer.ended} oturum kapatıldı.`, 'success')
  return true
}
