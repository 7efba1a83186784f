import type { FeatureCommands } from '../../kernel/database/command-registry.ts'
import { optionCommands } from './options/option-commands.ts'
import { showPremiumChanges } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { createStarRequest } from './star-requests/create-star-request.ts'
import { decideStarRequest } from './star-requests/decide-star-request.ts'
import { decideWithdrawal } from './withdrawals/decide-withdrawal.ts'
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    ...optionCommands,
    createStarRequest,
    decideStarRequest,
    decideWithdrawal,
    requestWithdrawal,
    showPremiumChanges,
    upgradeToPremium,
  ],
}
