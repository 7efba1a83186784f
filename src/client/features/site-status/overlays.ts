import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { SiteStatusModal } from './site-status-modal.tsx'

export const overlays = {
  /** 'Genel'. */
  siteStatus: { component: SiteStatusModal, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type SiteStatusOverlays = typeof overlays

declare module '../../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends SiteStatusOverlays {}
}
