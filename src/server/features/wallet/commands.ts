import type { FeatureCommands } from '../../kernel/database/command-registry.ts'
import { checkLedgerStep } from './check-ledger.ts'
import { optionCommands } from './options/option-commands.ts'
import { showPremiumChanges } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { exportRequests } from './requests/export-requests.ts'
import { listRequests } from './requests/review-queries.ts'
import { createStarRequest } from './star-requests/create-star-request.ts'
import { decideStarRequest } from './star-requests/decide-star-request.ts'
import { exportStatement } from './statement.ts'
import { decideWithdrawal } from './withdrawals/decide-withdrawal.ts'
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts'

/** What this feature runs in the threads of the database. */
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
  slowReads: [checkLedgerStep, exportRequests, exportStatement, listRequests],
}
