import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { LeaveRoomDialog } from './leave-room-dialog.tsx'
import { RoomDetailSheet } from './room-detail-sheet.tsx'
import { RoomManagement } from './room-management.tsx'

export const overlays = {
  /** Asks before Back leaves the room. */
  leaveRoom: { component: LeaveRoomDialog, access: 'everyone', isSingle: true },
  /** One room: '#name', 'ODAYA GEÇ', 'KADRO'. */
  roomDetail: { component: RoomDetailSheet, access: 'everyone' },
  /** 'Oda Yönetimi'. */
  roomManagement: { component: RoomManagement, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
