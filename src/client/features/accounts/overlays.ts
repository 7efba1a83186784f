import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { ChangeRoleDialog } from './roles/change-role-dialog.tsx'
import { ConfirmPasswordDialog } from './roles/confirm-password-dialog.tsx'
import { LeaveGuestDialog } from './sessions/leave-guest-dialog.tsx'
import { SessionsModal } from './sessions/sessions-modal.tsx'
import { SignUpModal } from './sign-up/sign-up-modal.tsx'

export const overlays = {
  /** 'Root Admin Yap' and 'Root Adminlik Kaldır'. */
  changeRoleDialog: { component: ChangeRoleDialog, access: 'rootAdmins' },
  /** 'Şifreni doğrula'. */
  confirmPassword: { component: ConfirmPasswordDialog, access: 'rootAdmins' },
  /** Before a guest's 'Çıkış Yap'. */
  leaveGuest: { component: LeaveGuestDialog, access: 'everyone' },
  /** 'Oturumlarım'. */
  sessions: { component: SessionsModal, access: 'everyone' },
  /** 'Üye Ol'. */
  signUp: { component: SignUpModal, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
