import type { Generated } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'

export interface ModerationTables {
  /** Messages of one room or one sender that are hidden at once and deleted in steps. */
  removal: { id: Generated<number>; roomId: RoomId | null; senderId: UserId | null; upToId: MessageId }
  /** The same for one sender's messages in one room. */
  roomSenderRemoval: { id: Generated<number>; roomId: RoomId; senderId: UserId; upToId: MessageId }
  /** One row. */
  siteState: { id: 1; maintenanceSince: number | null }
}
