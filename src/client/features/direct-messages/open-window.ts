import { showLoadingWhile } from '../../core/loading-indicator.ts'
import { closeOverlays } from '../../core/shell/overlays/overlays.ts'
import { toastLoadFailure } from '../../core/shell/toasts/toast.ts'
import type { WindowUser } from './window-state.ts'

/** Opens the window of a conversation; its code loads at the first one. */
export async function openDirectWindow(user: WindowUser): Promise<void> {
  try {
    const { openWindow } = await showLoadingWhile(import('./direct-windows.tsx'))
    closeOverlays()
    openWindow(user)
  } catch (error) {
    toastLoadFailure(error)
  }
}
