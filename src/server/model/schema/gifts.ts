import type { Generated } from 'kysely'
import type { GiftId, GiftKindId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { OptionStatus } from '../../../shared/wallet/options/protocol.ts'

export interface GiftTables {
  /** The catalogue. */
  giftKind: { id: Generated<GiftKindId>; name: string; drawing: string; priceKurus: number; status: OptionStatus }
  /** One row: the recipients' part of a price, in percent. */
  giftTerms: { id: 1; sharePercent: number }
  gift: {
    id: Generated<GiftId>
    giftKindId: GiftKindId
    senderId: UserId
    recipientId: UserId
    /** null: it was given on a profile. */
    roomId: RoomId | null
    priceKurus: number
    /** The recipient's part of the price. */
    shareKurus: number
    createdAt: number
  }
  giftTotal: { recipientId: UserId; giftKindId: GiftKindId; giftCount: number }
}
