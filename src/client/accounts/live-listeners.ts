import type { LiveClient } from '../live/live-client.ts'
import { session } from './session.ts'

/** Shows the admin token to the server on each connection, and each new one. A refused one is asked for when it is needed. */
export function listen(live: LiveClient): void {
  const showAdminToken = (): void => {
    const adminToken = session.adminToken()
    if (adminToken !== null) live.sendSignal('adminConnected', { adminToken })
  }
  live.onConnected(showAdminToken)
  session.onAdminToken(showAdminToken)
}
