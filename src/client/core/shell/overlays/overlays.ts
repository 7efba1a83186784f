import type { ComponentProps, ComponentType } from 'react'
import { LateValue } from '../../loading/late-value.ts'
import { signal } from '../../signals/signal.ts'
import { loadOrToast } from '../toasts/load-or-toast.ts'

/** The props of every overlay, besides its own input. */
export interface OverlayProps {
  onClose: () => void
}

/** `page/overlays.ts` lists all of them by name. */
export interface OverlayRegistration {
  // Each overlay has an input of its own; `openOverlay` checks it by the registry's type.
  component: ComponentType<never>
  /** Root admins' overlays close when the viewer is demoted. */
  access: 'everyone' | 'rootAdmins'
  /** Opening it again replaces the one on top, instead of opening a second one above it. */
  isSingle?: boolean
}

/** The types of all overlays, by name: `page/overlays.ts` adds them by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the page fills it
export interface OverlayRegistry {}

export type OverlayName = keyof OverlayRegistry
/** An overlay's props without those of the overlay root. */
type OverlayInput<N extends OverlayName> = Omit<ComponentProps<OverlayRegistry[N]['component']>, keyof OverlayProps>

export interface OpenOverlay extends OverlayRegistration {
  key: number
  input: object
}

interface OverlayRoot {
  showOverlay(name: OverlayName, input: object): void
}

/** The overlays over the page, the last one on top. */
export const openOverlays = signal<readonly OpenOverlay[]>([])

/** Calls `show` with the root when it has loaded, unless the user has cancelled it before. */
type LoadOverlayRoot = (show: (root: OverlayRoot) => void) => Promise<void>

/**
 * Set by the page and not imported here: the root imports every overlay, and overlays open others. A click before that waits
 * without a limit, as for slow code: the islands load the page's features until they succeed.
 */
export const overlayRoot = new LateValue<LoadOverlayRoot>()

/** Opens an overlay on top of the open ones; its code loads at the first one. A failed load is shown in a toast. */
export function openOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): Promise<void> {
  return loadOrToast(async () => overlayRoot.whenSet((load) => load((root) => root.showOverlay(name, input))))
}

/** Closes all overlays, as on a navigation. */
export function closeOverlays(): void {
  if (openOverlays.peek().length > 0) openOverlays.value = []
}
