import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { ReportDialog } from './submitting/report-dialog.tsx'

export const overlays = {
  /** 'Bildir'. */
  reportDialog: { component: ReportDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
