import { browserEnvironment } from '../platform/environment.ts'
import { type Session, session } from '../session/session.ts'
import { keepUntilHeard } from './keep-until-heard.ts'
import { LiveClient } from './live-client.ts'
import { Outbox } from './outbox.ts'

/** This tab's connection to the server. It opens when a page with a cursor is shown (room-chat/state.ts). */
export const live = new LiveClient(browserEnvironment, session)
export const outbox = new Outbox(browserEnvironment, live)

showAdminToken(live, session)

// Unsent messages must not be sent after the next sign-in, nor be shown to the next person in this browser.
session.onClear(() => outbox.clear())

/** Hears every popup of this page, also those that came before. */
export const hearPopups = keepUntilHeard(live, 'popupNotification')

// load-lazy.ts then retries failed loads.
live.onConnected(() => dispatchEvent(new Event('meydan:connected')))

/** The state of the connection, for the overlays. */
export const connection = live.connection
/** Why the page should be reloaded; null without a reason. */
export const reloadReason = live.reloadReason
/** Whether the server is connected and does not answer. */
export const isUnanswered = live.isUnanswered

/** Advises a reload because a chunk did not load: a new version was released, or the connection was lost. */
export function reportMissingChunk(): void {
  live.reloadReason.value = 'incomplete'
}

/** Sends the admin token on each connection, and each new token. After a refusal the next action asks for the password. */
function showAdminToken(live: LiveClient, session: Pick<Session, 'adminToken' | 'onAdminToken'>): void {
  const send = (): void => {
    const adminToken = session.adminToken()
    if (adminToken !== null) live.sendSignal('adminConnected', { adminToken })
  }
  live.onConnected(send)
  session.onAdminToken(send)
}
