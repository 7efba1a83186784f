import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { AllRoomsSheet } from './all-rooms-sheet.tsx'
import { RoomDetailSheet } from './room-detail-sheet.tsx'
import { RoomManagement } from './room-management.tsx'

export const overlays = {
  /** 'Tüm Odalar'. */
  allRooms: { component: AllRoomsSheet, access: 'everyone' },
  /** One room: '#name', 'ODAYA GEÇ', 'KADRO'. */
  roomDetail: { component: RoomDetailSheet, access: 'everyone' },
  /** 'Oda Yönetimi'. */
  roomManagement: { component: RoomManagement, access: 'everyone', hasHistoryEntry: true },
} satisfies Record<string, OverlayRegistration>

type RoomsOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends RoomsOverlays {}
}
