import { Refusal } from '../../shared/protocol/refusals.ts'
import { session } from '../accounts/session.ts'
import type { LiveClient } from './live-client.ts'
import type { LiveSession } from './live-session.ts'
import { live } from './state.ts'

// Actions of the connection dialogs' buttons. Loads with the dialogs, after the page.

/** Tries to connect at once. */
export function retryNow(): void {
  live.retryNow()
}

/** Ends the user's older connection and this one. */
export function confirmDuplicate(): void {
  void endOlderConnection(live, session)
}

/** Postpones the reload. */
export function dismissReload(): void {
  live.reloadReason.value = null
}

/** Ends the user's older connection and this one (specification 1, point 4). */
export async function endOlderConnection(live: LiveClient, session: Pick<LiveSession, 'returnHome'>): Promise<void> {
  if (live.connection.peek().status !== 'duplicate') return
  const answer = await live.request('confirmDuplicateConnection', { action: 'disconnect_old' })
  if (answer instanceof Refusal)
    live.connection.value = { status: 'duplicate', attempt: 0, message: answer.body.message }
  else if (typeof answer === 'object') session.returnHome()
}
