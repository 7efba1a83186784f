import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { OwnRoomsDialog } from './own-rooms-dialog.tsx'

export const overlays = {
  /** 'Oda Siparişlerim'. */
  ownRooms: { component: OwnRoomsDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type RoomOrderOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends RoomOrderOverlays {}
}
