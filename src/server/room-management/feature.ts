import type { Feature, FeatureContext } from '../features.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { roomManagementRoutes } from './routes.ts'
import { trimRoomRecords } from './trim-room-records.ts'

/** What the owner, the admins and root admins change in a room. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes: (app) => roomManagementRoutes(app, appContext),
    jobs: [
      {
        intervalMs: MINUTE_MS,
        isPrimaryOnly: true,
        run: () => runInSteps(appContext.execute, trimRoomRecords),
      },
    ],
  }
}
