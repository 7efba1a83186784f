import type { Generated } from 'kysely'
import type { CapacityOptionId, DurationOptionId } from '../../../../shared/protocol/ids.ts'

declare module '../../../kernel/database/schema.ts' {
  interface Database {
    capacityOption: {
      id: Generated<CapacityOptionId>
      numberOfPeople: number
      priceKurus: number
      /** When it was deleted; null while it can be ordered. */
      deletedAt: number | null
    }
    durationOption: {
      id: Generated<DurationOptionId>
      durationInMonths: number
      discountBasisPoints: number
      deletedAt: number | null
    }
  }
}
