import type { Feature, FeatureContext } from '../features.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { linkedAccountRoutes } from './linked-account-routes.ts'
import { textFilterRoutes } from './routes.ts'
import { trimFilterRecords } from './trim-filter-records.ts'

/** The word filter, the rule of links, alerts and linked accounts. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes: (app) => {
      textFilterRoutes(app, appContext)
      linkedAccountRoutes(app, appContext)
    },
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, trimFilterRecords) },
    ],
  }
}
