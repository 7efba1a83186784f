import { session } from '../accounts/session.ts'
import { browserEnvironment } from './environment.ts'
import { LiveClient } from './live-client.ts'
import { Outbox } from './outbox.ts'

/** This tab's line to the server. It opens when a page with a cursor is shown (openRoom of room-chat/state.ts). */
export const live = new LiveClient(browserEnvironment, session)
export const outbox = new Outbox(browserEnvironment, live)

// What somebody has not sent must not go out by itself when they sign in again, or be there for whoever comes next.
session.onClear(() => outbox.clear())

/** How the line stands, for the overlays. */
export const connection = live.connection
/** Why the page should be loaded anew; null while it need not be. */
export const reloadReason = live.reloadReason

/** Says that a part of the page did not load: a new version is out, or the line was cut just then. */
export function reportMissingChunk(): void {
  live.reloadReason.value = 'incomplete'
}
