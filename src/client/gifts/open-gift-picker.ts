import { GUEST_GIFT_TEXT } from '../../shared/gifts/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { session } from '../accounts/session.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { toast } from '../shell/toasts/toast.ts'

/** Opens 'Hediye gönder'; guests are told why they cannot. */
export function openGiftPicker({ id, username }: { id: UserId; username: string }): void {
  if (session.isGuest()) void toast(GUEST_GIFT_TEXT, 'warning')
  else void openOverlay('giftPicker', { recipient: { id, username } })
}
