import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { GiftPicker } from './gift-picker.tsx'

export const overlays = {
  /** 'Hediye gönder'. */
  giftPicker: { component: GiftPicker, access: 'everyone', isSingle: true },
} satisfies Record<string, OverlayRegistration>
