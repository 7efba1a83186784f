import type { ComponentType } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import type { RoomId } from '../../../../shared/protocol/ids.ts'
import type { RoomPageProps } from '../../../../shared/rooms/page-props.ts'
import { signal } from '../../signals/signal.ts'
import { WIDE_SCREEN_QUERY } from '../../ui/use-media-query.ts'

/** The page's data for its panels, and their layout. */
export interface PagePanelProps extends Pick<RoomPageProps, 'users' | 'total' | 'viewer'> {
  roomId: RoomId
  /** Beside the thread; otherwise a sheet. */
  isWide: boolean
  isOpen: boolean
}

/** A panel that the server renders with the page. */
interface PagePanel {
  component: ComponentType<PagePanelProps>
}

/** A panel whose code is loaded when it is first opened. */
export interface LazyPanel {
  title: string
  load(): Promise<ComponentType<{ viewer: Person }>>
  /** Why it did not load, in Turkish; a general text without one. */
  failureText?: string
}

export type PanelRegistration = PagePanel | LazyPanel

/** The side panels; at most one is open (specification 2, point 2, "Side panels"). Features list them. */
export type PanelName = 'allUsers' | 'dmList' | 'notifications' | 'ownRooms' | 'posts' | 'profile' | 'roomActiveUsers'

/** The panel that is open at first on a wide screen. */
export const DEFAULT_PANEL: PanelName = 'roomActiveUsers'

/** `byWidth`, the initial state: the default panel on a wide screen, none on a small one. */
type PanelState = PanelName | 'none' | 'byWidth'

/** Detail of the `panelChange` event, sent on `document` when another panel opens or the open one closes. */
export interface PanelChange {
  panel: PanelName | 'none'
}

export const panelState = signal<PanelState>('byWidth')

/** Whether this panel is on the screen. */
export function isPanelOpen(name: PanelName, state: PanelState, isWide: boolean): boolean {
  return state === name || (state === 'byWidth' && isWide && name === DEFAULT_PANEL)
}

/** Opens a panel in place of the one that is open; a second time closes it. */
export function togglePanel(name: PanelName): void {
  setPanel(visiblePanel() === name ? 'none' : name)
}

/** Closes the open panel, if any. */
export function closePanel(): void {
  if (visiblePanel() !== 'none') setPanel('none')
}

/** The panel that is on the screen. */
function visiblePanel(): PanelName | 'none' {
  const state = panelState.peek()
  if (state !== 'byWidth') return state
  return matchMedia(WIDE_SCREEN_QUERY).matches ? DEFAULT_PANEL : 'none'
}

function setPanel(next: PanelName | 'none'): void {
  panelState.value = next
  document.dispatchEvent(new CustomEvent<PanelChange>('panelChange', { detail: { panel: next } }))
}
