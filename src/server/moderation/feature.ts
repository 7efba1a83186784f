import type { Feature, FeatureContext } from '../features.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { isInMaintenanceFor } from './access.ts'
import { handleBanUser, handleClearRoomMessages } from './live-handlers.ts'
import { deleteRemovedMessages } from './remove-messages.ts'
import { moderationRoutes } from './routes.ts'

/** Bans, cleared rooms, maintenance. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { execute } = appContext
  return {
    handlers: { banUser: handleBanUser, clearRoomMessages: handleClearRoomMessages },
    services: { maintenance: { isClosedTo: (role) => isInMaintenanceFor(appContext, role) } },
    registerRoutes: (app) => moderationRoutes(app, appContext),
    jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, deleteRemovedMessages) }],
  }
}
