import type { ComponentProps, ComponentType } from 'react'
import { showLoadingWhile } from '../../loading-indicator.ts'
import { signal } from '../../signal.ts'
import { toastLoadFailure } from '../toasts/toast.ts'
import type { overlayRegistry } from './overlay-registry.ts'

/** What every sheet and modal window that lies over the page takes, beside what is its own. */
export interface OverlayProps {
  onClose: () => void
}

type Registry = typeof overlayRegistry
export type OverlayName = keyof Registry
/** What one is opened with. */
export type OverlayInput<N extends OverlayName> = Omit<ComponentProps<Registry[N]>, keyof OverlayProps>

export interface OpenOverlay {
  key: number
  name: OverlayName
  component: ComponentType<OverlayProps>
  input: object
}

/** What lies over the page, the last one on top. */
export const overlays = signal<readonly OpenOverlay[]>([])

/** Opens a sheet or a modal window over the page and over what lies there already. It is loaded when opened first. */
export async function openOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): Promise<void> {
  try {
    const { showOverlay } = await showLoadingWhile(import('./overlay-root.tsx'))
    showOverlay(name, input)
  } catch (error) {
    toastLoadFailure(error)
  }
}

/** Closes whatever lies over the page: people move to another one. */
export function closeOverlays(): void {
  if (overlays.peek().length > 0) overlays.value = []
}
