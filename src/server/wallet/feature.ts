import type { Feature, FeatureContext } from '../features.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { nightlyLedgerCheck } from './nightly-check.ts'
import { walletOptionRoutes } from './options/routes.ts'

/** The virtual balance of members, and the options for which it is loaded, spent and paid out. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes(app) {
      ledgerRoutes(app, appContext)
      walletOptionRoutes(app, appContext)
    },
    jobs: [nightlyLedgerCheck(appContext)],
  }
}
