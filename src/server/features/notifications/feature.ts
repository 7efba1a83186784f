import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { deleteOldNotifications } from './delete-old-notifications.ts'
import { notificationRead, notificationTabRead } from './live-handlers.ts'
import { notifyConnection } from './notify-connection.ts'
import { notificationRoutes } from './routes.ts'

/** What users are notified of. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    handlers: { notificationRead, notificationTabRead },
    live: notifyConnection,
    registerRoutes: (app) => notificationRoutes(app, appContext),
    jobs: [
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, deleteOldNotifications) },
    ],
  }
}
