import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { BanForm } from '../../model/moderation/ban-form.tsx'
import { ClearRoomDialog } from './clear-room-dialog.tsx'
import { GhostBanForm } from './ghost-ban-form.tsx'
import { ModerationScreen } from './moderation-screen.tsx'

export const overlays = {
  /** 'Siteden Yasakla'. */
  banForm: { component: BanForm, access: 'rootAdmins' },
  /** 'Ghost Ban'. */
  ghostBanForm: { component: GhostBanForm, access: 'rootAdmins' },
  /** 'Oda Mesajlarını Temizle'. */
  clearRoomDialog: { component: ClearRoomDialog, access: 'everyone' },
  /** 'Moderasyon'; opened at a section by `openModerationSection`. */
  moderationScreen: { component: ModerationScreen, access: 'rootAdmins', isSingle: true },
} satisfies Record<string, OverlayRegistration>
