import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { closeOldReports } from './close-old-reports.ts'
import { deleteOldContents } from './delete-old-contents.ts'
import { reportRoutes } from './routes.ts'

/** Reports of users to the root admins, and what those decide. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes: (app) => reportRoutes(app, appContext),
    jobs: [closeOldReports, deleteOldContents].map((step) => ({
      intervalMs: HOUR_MS,
      isPrimaryOnly: true,
      run: () => runInSteps(appContext.execute, step),
    })),
  }
}
