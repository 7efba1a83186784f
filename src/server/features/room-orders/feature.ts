import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { runInSteps, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { emptyDeactivatedRooms } from './empty-deactivated-rooms.ts'
import { expireRooms, hasRoomToExpire } from './expire-rooms.ts'
import { roomOrderRoutes } from './routes.ts'

/** Rooms that members order, renew and let expire. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { execute, reader, clock } = appContext
  emptyDeactivatedRooms(appContext)
  return {
    registerRoutes: (app) => roomOrderRoutes(app, appContext),
    jobs: [
      {
        intervalMs: SECOND_MS,
        isPrimaryOnly: true,
        run: () => hasRoomToExpire(reader, clock()) && runInSteps(execute, expireRooms),
      },
    ],
  }
}
