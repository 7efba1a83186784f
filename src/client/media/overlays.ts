import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { MediaViewer } from './media-viewer.tsx'

export const overlays = {
  /** The pictures and videos of a conversation. */
  mediaViewer: { component: MediaViewer, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type MediaOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends MediaOverlays {}
}
