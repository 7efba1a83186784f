import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { OrderRoom } from './order-room-wizard.tsx'
import { OwnRoomsDialog } from './own-rooms-dialog.tsx'
import { RenewRoomWizard } from './renew-room-wizard.tsx'
import { UnpaidRoomDialog } from './unpaid-room-dialog.tsx'

export const overlays = {
  /** 'Yeni Oda Siparişi', and 'Üye Ol' for guests. */
  orderRoom: { component: OrderRoom, access: 'everyone' },
  renewRoom: { component: RenewRoomWizard, access: 'everyone' },
  /** 'Oda Siparişlerim'. */
  ownRooms: { component: OwnRoomsDialog, access: 'everyone' },
  unpaidRoom: { component: UnpaidRoomDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type RoomOrderOverlays = typeof overlays

declare module '../../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends RoomOrderOverlays {}
}
