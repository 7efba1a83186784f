import type { Session } from '../session/session.ts'
import type { LiveClient } from './live-client.ts'

/** Sends the admin token on each connection, and each new token. After a refusal the next action asks for the password. */
export function showAdminToken(live: LiveClient, session: Pick<Session, 'adminToken' | 'onAdminToken'>): void {
  const send = (): void => {
    const adminToken = session.adminToken()
    if (adminToken !== null) live.sendSignal('adminConnected', { adminToken })
  }
  live.onConnected(send)
  session.onAdminToken(send)
}
