import type { LiveClient } from '../../core/live/live-client.ts'
import { session } from '../../core/session/session.ts'

/** Sends the admin token on each connection, and each new token. After a refusal the next action asks for the password. */
export function listen(live: LiveClient): void {
  const showAdminToken = (): void => {
    const adminToken = session.adminToken()
    if (adminToken !== null) live.sendSignal('adminConnected', { adminToken })
  }
  live.onConnected(showAdminToken)
  session.onAdminToken(showAdminToken)
}
