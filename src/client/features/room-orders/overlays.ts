import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { OrderRoomWizard } from './order-room-wizard.tsx'
import { OwnRoomsDialog } from './own-rooms-dialog.tsx'
import { RenewRoomWizard } from './renew-room-wizard.tsx'
import { UnpaidRoomDialog } from './unpaid-room-dialog.tsx'

export const overlays = {
  /** 'Yeni Oda Siparişi'; opened by `openRoomOrder`. */
  orderRoom: { component: OrderRoomWizard, access: 'everyone' },
  renewRoom: { component: RenewRoomWizard, access: 'everyone' },
  /** 'Oda Siparişlerim'. */
  ownRooms: { component: OwnRoomsDialog, access: 'everyone' },
  unpaidRoom: { component: UnpaidRoomDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
