import type { ComponentProps, ComponentType } from 'react'
import { showLoadingWhile } from '../../loading/loading-indicator.ts'
import { signal } from '../../signals/signal.ts'
import { toastLoadFailure } from '../toasts/toast.ts'

/** The props of every overlay, besides its own input. */
export interface OverlayProps {
  onClose: () => void
}

/** A feature's `overlays.ts` exports these by name as `overlays`; `page/overlays.ts` lists all of them. */
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
export type OverlayInput<N extends OverlayName> = Omit<
  ComponentProps<OverlayRegistry[N]['component']>,
  keyof OverlayProps
>

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

let loadOverlayRoot: LoadOverlayRoot = async () => {
  throw new Error('the page has not set its overlays')
}

/** Set by the page and not imported here: the root imports every overlay, and overlays open others. */
export function setOverlayRoot(load: LoadOverlayRoot): void {
  loadOverlayRoot = load
}

/** Opens an overlay on top of the open ones; its code loads at the first one. A failed load is shown in a toast. */
export async function openOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): Promise<void> {
  try {
    await showLoadingWhile(loadOverlayRoot((root) => root.showOverlay(name, input)))
  } catch (error) {
    toastLoadFailure(error)
  }
}

/** Closes all overlays, as on a navigation. */
export function closeOverlays(): void {
  if (openOverlays.peek().length > 0) openOverlays.value = []
}
