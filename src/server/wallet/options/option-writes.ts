import { setBankDetails } from './set-bank-details.ts'
import { setPremiumCost } from './set-premium-cost.ts'
import { starOptionWrites } from './star-option-writes.ts'
import { withdrawalOptionWrites } from './withdrawal-option-writes.ts'

/** The write commands of the wallet's options. */
export const optionWrites = [
  ...Object.values(starOptionWrites),
  ...Object.values(withdrawalOptionWrites),
  setPremiumCost,
  setBankDetails,
]
