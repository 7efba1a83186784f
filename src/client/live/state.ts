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

/** The button of the unreachable overlay: tries again at once. */
export function retryNow(): void {
  live.retryNow()
}

/** The button of the duplicate overlay: ends the older session, and this one with it. */
export function confirmDuplicate(): void {
  void live.confirmDuplicate()
}

/** Says that a part of the page did not load: a new version is out, or the line was cut just then. */
export function reportMissingChunk(): void {
  live.adviseReload('incomplete')
}

/** The button of the prompt to reload that puts it off. */
export function dismissReload(): void {
  live.adviseReload(null)
}
