import { signal } from '../../signal.ts'
import { WIDE_SCREEN_QUERY } from '../../ui/use-media-query.ts'

/**
 * The side panels; one is open at most (specification 2, point 2, "Side panels"). Those whose feature is to come are
 * named already, so that nothing else has to change for them.
 */
export type PanelName = 'roomActiveUsers' | 'allUsers' | 'dmList' | 'notifications' | 'profile'

/** `byWidth` is how a page begins: the people of the room on a wide screen, none on another. */
export type PanelState = PanelName | 'none' | 'byWidth'

/** Detail of the `panelChange` event, sent on `document` when another panel opens or the open one closes. */
export interface PanelChange {
  panel: PanelName | 'none'
}

export const panelState = signal<PanelState>('byWidth')

/** Whether this panel is on the screen. */
export function isPanelOpen(name: PanelName, state: PanelState, isWide: boolean): boolean {
  return state === name || (state === 'byWidth' && isWide && name === 'roomActiveUsers')
}

/** Opens a panel in place of the one that is open; a second time closes it. */
export function togglePanel(name: PanelName): void {
  setPanel(visiblePanel() === name ? 'none' : name)
}

/** Closes whichever panel is open. */
export function closePanel(): void {
  if (visiblePanel() !== 'none') setPanel('none')
}

/** Which panel is on the screen. */
function visiblePanel(): PanelName | 'none' {
  const state = panelState.peek()
  if (state !== 'byWidth') return state
  return matchMedia(WIDE_SCREEN_QUERY).matches ? 'roomActiveUsers' : 'none'
}

function setPanel(next: PanelName | 'none'): void {
  panelState.value = next
  document.dispatchEvent(new CustomEvent<PanelChange>('panelChange', { detail: { panel: next } }))
}
