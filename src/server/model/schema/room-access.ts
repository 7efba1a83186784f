import type { RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'

export interface RoomAccessTables {
  /** The sessions that gave the present password of a room. */
  roomGrant: { roomId: RoomId; sessionId: SessionId; userId: UserId }
}
