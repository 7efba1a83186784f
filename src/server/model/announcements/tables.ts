import type { RoomId } from '../../../shared/protocol/ids.ts'

declare module '../../kernel/database/schema.ts' {
  interface Database {
    /** The last popup of a room; `picture` is a name below `/uploads/`. */
    roomPopup: { roomId: RoomId; sentAt: number; picture: string | null }
  }
}
