import { closeOnLastBack, isLayerEntry } from '../navigation/close-on-back.ts'
import type { PageState } from '../navigation/navigate.ts'
import { openOverlay } from './overlays/overlays.ts'

/** Removes the entry above that of the page; null when there is none. */
let disarm: (() => void) | null = null

/**
 * Keeps Back from leaving the room unasked, also where browsers do not ask before a page unloads, as in an installed app:
 * an entry above that of the page, which Back leaves first. It is added when the page is used, because browsers ignore one
 * that a page adds without a click.
 */
export function installLeaveGuard(): void {
  // After a reload the page has its entry already.
  if (isLayerEntry()) arm()
  for (const name of ['click', 'keydown']) document.addEventListener(name, arm, { capture: true })
  document.addEventListener('meydan:navigated', () => {
    disarm = null
  })
}

function arm(): void {
  disarm ??= closeOnLastBack(askOrGoBack)
}

/** To the room that a link led from the user returns unasked. Else this layer stays, so that each further Back asks, too. */
function askOrGoBack(): void {
  const state: Partial<PageState> | null = history.state // set by navigate.ts
  if (!state?.isFromRoom) return void openOverlay('leaveRoom', {})
  disarm?.()
  disarm = null
  history.back()
}
