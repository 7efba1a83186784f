import { starOptionWrites, withdrawalOptionWrites } from './amount-option-writes.ts'
import { setBankDetails } from './set-bank-details.ts'
import { setPremiumCost } from './set-premium-cost.ts'

/** The write commands of the wallet's options. */
export const optionWrites = [
  ...Object.values(starOptionWrites),
  ...Object.values(withdrawalOptionWrites),
  setPremiumCost,
  setBankDetails,
]
