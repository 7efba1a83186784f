import { starOptionCommands, withdrawalOptionCommands } from './amount-option-commands.ts'
import { setBankDetails } from './set-bank-details.ts'
import { setPremiumCost } from './set-premium-cost.ts'

/** The write commands of the wallet's options. */
export const optionCommands = [
  ...Object.values(starOptionCommands),
  ...Object.values(withdrawalOptionCommands),
  setPremiumCost,
  setBankDetails,
]
