import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { GiftPicker } from './gift-picker.tsx'

export const overlays = {
  /** 'Hediye gönder'. */
  giftPicker: { component: GiftPicker, access: 'everyone', isSingle: true },
} satisfies Record<string, OverlayRegistration>

type GiftOverlays = typeof overlays

declare module '../../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends GiftOverlays {}
}
