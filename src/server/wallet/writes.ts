import { optionWrites } from './options/option-writes.ts'
import { showPremiumChanges } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { createStarRequest } from './star-requests/create-star-request.ts'
import { decideStarRequest } from './star-requests/decide-star-request.ts'

/** The write commands of this feature. */
export const writes = [...optionWrites, createStarRequest, decideStarRequest, showPremiumChanges, upgradeToPremium]
