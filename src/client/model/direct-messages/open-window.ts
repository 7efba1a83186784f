import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import { showLoadingWhile } from '../../core/loading/loading-indicator.ts'
import { closeOverlays } from '../../core/shell/overlays/overlays.ts'
import { toastLoadFailure } from '../../core/shell/toasts/toast.ts'

/** The user of a window, as known when it was opened. */
export type WindowUser = Pick<UserSummary, 'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest'>

type OpenWindow = (user: WindowUser) => void

let loadOpenWindow: () => Promise<OpenWindow> = async () => {
  throw new Error('the direct messages have not started')
}

/** Set by the feature that shows the windows; their code loads at the first one. */
export function setWindowOpener(load: () => Promise<OpenWindow>): void {
  loadOpenWindow = load
}

/** Opens the window of a conversation. A failed load is shown in a toast. */
export async function openDirectWindow(user: WindowUser): Promise<void> {
  try {
    const openWindow = await showLoadingWhile(loadOpenWindow())
    closeOverlays()
    openWindow(user)
  } catch (error) {
    toastLoadFailure(error)
  }
}
