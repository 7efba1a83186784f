import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { ActionLogDialog } from './action-log-dialog.tsx'

export const overlays = {
  /** 'Aksiyonlar'. */
  actionLogDialog: { component: ActionLogDialog, access: 'rootAdmins' },
} satisfies Record<string, OverlayRegistration>

type AuditOverlays = typeof overlays

declare module '../../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends AuditOverlays {}
}
