import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { SECOND_MS } from '../../kernel/operations/jobs.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { nightlyLedgerCheck } from './nightly-check.ts'
import { walletOptionRoutes } from './options/routes.ts'
import { premiumRoutes } from './premium/routes.ts'
import { watchPremiumEnds } from './premium/show-premium-changes.ts'
import { reviewRoutes } from './requests/review-routes.ts'
import { starRequestRoutes } from './star-requests/routes.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'

/** The virtual balance of members, and the options for which it is loaded, spent and paid out. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes(app) {
      ledgerRoutes(app, appContext)
      walletOptionRoutes(app, appContext)
      premiumRoutes(app, appContext)
      starRequestRoutes(app, appContext)
      withdrawalRoutes(app, appContext)
      reviewRoutes(app, appContext)
    },
    jobs: [
      nightlyLedgerCheck(appContext),
      { intervalMs: SECOND_MS, isPrimaryOnly: true, run: () => watchPremiumEnds(appContext) },
    ],
  }
}
