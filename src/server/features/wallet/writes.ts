import { optionWrites } from './options/option-writes.ts'
import { showPremiumChanges } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { createStarRequest } from './star-requests/create-star-request.ts'
import { decideStarRequest } from './star-requests/decide-star-request.ts'
import { decideWithdrawal } from './withdrawals/decide-withdrawal.ts'
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts'

/** The write commands of this feature. */
export const writes = [
  ...optionWrites,
  createStarRequest,
  decideStarRequest,
  decideWithdrawal,
  requestWithdrawal,
  showPremiumChanges,
  upgradeToPremium,
]
