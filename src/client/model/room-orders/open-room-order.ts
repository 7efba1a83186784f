import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'

/** Opens 'Yeni Oda Siparişi' for members; guests are led to 'Üye Ol'. */
export function openRoomOrder(): Promise<void> {
  return openOverlay(session.isGuest() ? 'signUp' : 'orderRoom', {})
}
