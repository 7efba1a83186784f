import type { ComponentProps, ComponentType } from 'react'
import { showLoadingWhile } from '../../loading-indicator.ts'
import { signal } from '../../signal.ts'
import { toastLoadFailure } from '../toasts/toast.ts'

/** What every sheet and modal window over the page takes, besides its own input. */
export interface OverlayProps {
  onClose: () => void
}

/** A feature's `overlays.ts` exports these by name as `overlays`, and adds their type to `OverlayRegistry`. */
export interface OverlayRegistration {
  // Each overlay has an input of its own; `openOverlay` checks it by the registry's type.
  component: ComponentType<never>
  /** Those for root admins close when the viewer is no longer one. */
  access: 'everyone' | 'rootAdmins'
}

/** The types of all registered overlays, by name: each feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface OverlayRegistry {}

export type OverlayName = keyof OverlayRegistry
/** What an overlay is opened with. */
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

let loadOverlayRoot = async (): Promise<OverlayRoot> => {
  throw new Error('the shell has not started')
}

/** Set by the shell and not imported here: the root imports every overlay, and overlays open others. */
export function setOverlayRoot(load: () => Promise<OverlayRoot>): void {
  loadOverlayRoot = load
}

/** Opens a sheet or a modal window over the page and over what is open already. It is loaded when first opened. */
export async function openOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): Promise<void> {
  try {
    const { showOverlay } = await showLoadingWhile(loadOverlayRoot())
    showOverlay(name, input)
  } catch (error) {
    toastLoadFailure(error)
  }
}

/** Closes all overlays: another page is shown. */
export function closeOverlays(): void {
  if (openOverlays.peek().length > 0) openOverlays.value = []
}
