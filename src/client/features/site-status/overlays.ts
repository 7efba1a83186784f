import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { SiteStatusModal } from './site-status-modal.tsx'

export const overlays = {
  /** 'Genel'. */
  siteStatus: { component: SiteStatusModal, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
