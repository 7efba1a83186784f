import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'

export interface RoomManagementTables {
  /** When a user last wrote to a room in slow mode. */
  slowModeMessage: { roomId: RoomId; userId: UserId; sentAt: number }
  /** The last entry of a user into a room. */
  roomVisit: { roomId: RoomId; userId: UserId; visitedAt: number }
}
