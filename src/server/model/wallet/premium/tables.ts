import type { Generated } from 'kysely'
import type { PremiumPurchaseId, UserId } from '../../../../shared/protocol/ids.ts'

declare module '../../../kernel/database/schema.ts' {
  interface Database {
    premiumPurchase: {
      id: Generated<PremiumPurchaseId>
      userId: UserId
      priceKurus: number
      days: number
      /** The end that it led to. */
      premiumUntil: number
      createdAt: number
    }
  }
}
