import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'

/** Logs out; a guest, who loses the name by it, is asked before. When it fails the connection overlay says what is wrong. */
export function logOut(): unknown {
  return session.isGuest() ? openOverlay('leaveGuest', {}) : session.logOut()
}
