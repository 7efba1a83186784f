import type { Generated } from 'kysely'
import type { StarOptionId, WithdrawalOptionId } from '../../../../shared/protocol/ids.ts'
import type { OptionStatus } from '../../../../shared/wallet/options-protocol.ts'

declare module '../../../kernel/database/schema.ts' {
  interface Database {
    /** Amounts that can be loaded. */
    starOption: {
      id: Generated<StarOptionId>
      amountKurus: number
      status: OptionStatus
      /** When it was deleted; null while it is listed. */
      deletedAt: number | null
    }
    /** Amounts that can be withdrawn. */
    withdrawalOption: {
      id: Generated<WithdrawalOptionId>
      amountKurus: number
      status: OptionStatus
      deletedAt: number | null
    }
    /** One row. */
    premiumTerms: { id: 1; priceKurus: number; days: number }
    /** One row, or none while the account is not set. */
    bankDetails: { id: 1; bankName: string; accountHolder: string; iban: string }
  }
}
