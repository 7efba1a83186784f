import { AllRoomsSheet } from '../rooms/all-rooms-sheet.tsx'
import { RoomDetailSheet } from '../rooms/room-detail-sheet.tsx'
import { RoomManagement } from '../rooms/room-management.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import { SiteStatus } from './site-status.tsx'

/** Everything that `openOverlay` can open, by name. A feature adds its own here. */
export const overlayParts = {
  /** 'Tüm Odalar'. */
  allRooms: AllRoomsSheet,
  /** One room: '#name', 'ODAYA GEÇ', 'KADRO'. */
  roomDetail: RoomDetailSheet,
  /** 'Oda Yönetimi'. */
  roomManagement: RoomManagement,
  /** The settings of the small screens' dock. */
  settings: SettingsSheet,
  /** 'Genel'. */
  status: SiteStatus,
}
