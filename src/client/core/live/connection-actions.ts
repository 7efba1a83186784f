import { Refusal } from '../../../shared/protocol/refusals.ts'
import { session } from '../session/session.ts'
import type { LiveClient } from './live-client.ts'
import { live } from './state.ts'

// Actions of the connection dialogs' buttons. Loads with the dialogs, after the page.

/** Tries to connect at once. */
export function retryNow(): void {
  live.retryNow()
}

/** Ends the user's older connection and this one, and goes to the home page (specification 1, point 4). */
export function confirmDuplicate(): void {
  void endOlderConnection(live, () => session.returnHome())
}

/** The same, but this tab comes straight back to its page. */
export function continueHere(): void {
  session.takeOver()
  void endOlderConnection(live, () => session.enterAgain())
}

/** Leaves the user's older connection as it is. */
export function leaveToOlderConnection(): void {
  session.returnHome()
}

/** Postpones the reload. */
export function dismissReload(): void {
  live.reloadReason.value = null
}

/** Ends the user's older connection, and then leaves this one. */
export async function endOlderConnection(live: LiveClient, leave: () => void): Promise<void> {
  if (live.connection.peek().status !== 'duplicate') return
  const answer = await live.request('confirmDuplicateConnection', { action: 'disconnect_old' })
  if (answer instanceof Refusal)
    live.connection.value = { status: 'duplicate', attempt: 0, message: answer.body.message }
  else if (typeof answer === 'object') leave()
}
