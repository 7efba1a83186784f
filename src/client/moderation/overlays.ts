import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { BanForm } from './ban-form.tsx'
import { BansSheet } from './bans-sheet.tsx'
import { ClearRoomDialog } from './clear-room-dialog.tsx'

export const overlays = {
  /** 'Siteden Yasakla'. */
  banForm: { component: BanForm, access: 'rootAdmins' },
  /** 'Yasaklı Kullanıcılar'. */
  bansSheet: { component: BansSheet, access: 'rootAdmins' },
  /** 'Oda Mesajlarını Temizle'. */
  clearRoomDialog: { component: ClearRoomDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type ModerationOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends ModerationOverlays {}
}
