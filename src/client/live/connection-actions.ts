import { Refusal } from '../../shared/protocol/refusals.ts'
import { session } from '../accounts/session.ts'
import type { LiveClient, LiveSession } from './live-client.ts'
import { live } from './state.ts'

// What the buttons of the connection dialogs do. It loads with them, after the page.

/** Tries to connect at once. */
export function retryNow(): void {
  live.retryNow()
}

/** Ends the person's older session, and this one with it. */
export function confirmDuplicate(): void {
  void endOlderConnection(live, session)
}

/** Puts the reload off. */
export function dismissReload(): void {
  live.reloadReason.value = null
}

/** Ends the older connection of this person, and this one with it (specification 1, point 4). */
export async function endOlderConnection(live: LiveClient, session: Pick<LiveSession, 'returnHome'>): Promise<void> {
  if (live.connection.peek().status !== 'duplicate') return
  const answer = await live.request('confirmDuplicateConnection', { action: 'disconnect_old' })
  if (answer instanceof Refusal)
    live.connection.value = { status: 'duplicate', attempt: 0, message: answer.body.message }
  else if (typeof answer === 'object') session.returnHome()
}
