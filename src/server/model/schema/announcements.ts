import type { RoomId } from '../../../shared/protocol/ids.ts'

export interface AnnouncementTables {
  /** The last popup of a room; `picture` is a name below `/uploads/`. */
  roomPopup: { roomId: RoomId; sentAt: number; picture: string | null }
}
