import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { ActionLogDialog } from './action-log-dialog.tsx'

export const overlays = {
  /** 'Aksiyonlar'. */
  actionLogDialog: { component: ActionLogDialog, access: 'rootAdmins' },
} satisfies Record<string, OverlayRegistration>
