import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { starOptionCommands, withdrawalOptionCommands } from './options/amount-option-commands.ts'
import { setBankDetails } from './options/set-bank-details.ts'
import { setPremiumCost } from './options/set-premium-cost.ts'
import { showPremiumChanges } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { decideRequest } from './requests/decide-request.ts'
import { createStarRequest } from './top-ups/create-star-request.ts'
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    ...Object.values(starOptionCommands),
    ...Object.values(withdrawalOptionCommands),
    setPremiumCost,
    setBankDetails,
    createStarRequest,
    decideRequest,
    requestWithdrawal,
    showPremiumChanges,
    upgradeToPremium,
  ],
}
