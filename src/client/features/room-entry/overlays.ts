import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { RoomBanForm } from './room-ban-form.tsx'
import { RoomBanNotice } from './room-ban-notice.tsx'

export const overlays = {
  /** 'Odadan Yasakla'; the server checks who may. */
  roomBanForm: { component: RoomBanForm, access: 'everyone' },
  /** Tells the viewer of a ban from the shown room. */
  roomBanNotice: { component: RoomBanNotice, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
