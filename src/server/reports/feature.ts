import type { Feature, FeatureContext } from '../features.ts'
import { HOUR_MS, runInSteps } from '../region-jobs.ts'
import { deleteOldContents } from './delete-old-contents.ts'
import { reportRoutes } from './routes.ts'

/** Reports of users to the root admins, and what those decide. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes: (app) => reportRoutes(app, appContext),
    jobs: [{ intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, deleteOldContents) }],
  }
}
