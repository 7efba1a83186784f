import type { Generated } from 'kysely'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'

declare module '../../kernel/database/schema.ts' {
  interface Database {
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
}
