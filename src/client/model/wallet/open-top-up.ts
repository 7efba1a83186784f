import { TOP_UP_REGISTRATION_TEXT } from '../../../shared/wallet/top-ups/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

/** Opens 'Bakiye Yükleme Talebi'; guests are told to register first. */
export function openTopUp(): Promise<void> {
  return session.isGuest() ? toast(TOP_UP_REGISTRATION_TEXT, 'warning') : openOverlay('topUp', {})
}
