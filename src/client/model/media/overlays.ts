import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { MediaViewer } from './media-viewer.tsx'

export const overlays = {
  /** The pictures and videos of a conversation. */
  mediaViewer: { component: MediaViewer, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type MediaOverlays = typeof overlays

declare module '../../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends MediaOverlays {}
}
