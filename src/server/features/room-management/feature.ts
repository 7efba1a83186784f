import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { MINUTE_MS, runInSteps, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { roomVisits } from '../../model/rooms/entry-services.ts'
import { RoomVisits } from './room-visits.ts'
import { roomManagementRoutes } from './routes.ts'
import { trimRoomRecords } from './trim-room-records.ts'

/** What the owner, the admins and root admins change in a room. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const visits = new RoomVisits(appContext)
  return {
    services: [roomVisits.providedBy(visits)],
    registerRoutes: (app) => roomManagementRoutes(app, appContext),
    jobs: [
      { intervalMs: 5 * SECOND_MS, isPrimaryOnly: false, run: () => visits.flush() },
      {
        intervalMs: MINUTE_MS,
        isPrimaryOnly: true,
        run: () => runInSteps(appContext.execute, trimRoomRecords),
      },
    ],
  }
}
