import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import { LateValue } from '../../core/loading/late-value.ts'
import { closeOverlays } from '../../core/shell/overlays/overlays.ts'
import { loadOrToast } from '../../core/shell/toasts/load-or-toast.ts'

/** The user of a window, as known when it was opened. */
export type WindowUser = Pick<UserSummary, 'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest'>

type OpenWindow = (user: WindowUser) => void

/** Set by the feature that shows the windows; their code loads at the first one. */
export const windowOpener = new LateValue<() => Promise<OpenWindow>>()

/** Opens the window of a conversation. A failed load is shown in a toast. */
export function openDirectWindow(user: WindowUser): Promise<void> {
  return loadOrToast(
    async () => windowOpener.whenSet((load) => load()),
    (openWindow) => {
      closeOverlays()
      openWindow(user)
    },
  )
}
