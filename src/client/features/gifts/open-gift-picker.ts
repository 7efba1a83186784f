import { GUEST_GIFT_TEXT } from '../../../shared/gifts/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

/** Opens 'Hediye gönder'; guests are told why they cannot. */
export function openGiftPicker({ id, username }: { id: UserId; username: string }): void {
  if (session.isGuest()) void toast(GUEST_GIFT_TEXT, 'warning')
  else void openOverlay('giftPicker', { recipient: { id, username } })
}
