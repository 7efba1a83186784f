import type { Generated } from 'kysely'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Flag } from '../../kernel/database/schema.ts'

export interface RoomOrderTables {
  /** An order or a renewal of a room, with the options as they were. */
  roomOrder: {
    id: Generated<number>
    roomId: RoomId
    userId: UserId
    isRenewal: Flag
    capacityOptionId: number
    durationOptionId: number
    capacity: number
    months: number
    discountBasisPoints: number
    priceKurus: number
    createdAt: number
    /** The expiry of the room after this purchase. */
    expiryDate: number
  }
}
