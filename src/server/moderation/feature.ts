import type { Feature, FeatureContext } from '../features.ts'
import { oncePerTurn } from '../once-per-turn.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { handleBanUser, handleClearRoomMessages } from './live-handlers.ts'
import { getMaintenanceSince } from './queries.ts'
import { deleteRemovedMessages } from './remove-messages.ts'
import { moderationRoutes } from './routes.ts'

/** Bans, cleared rooms, maintenance. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { execute, reader } = appContext
  // Every command asks. `npm run admin` writes from another process, so the flag cannot only follow its event.
  const isInMaintenance = oncePerTurn(() => getMaintenanceSince(reader) !== null)
  return {
    handlers: { banUser: handleBanUser, clearRoomMessages: handleClearRoomMessages },
    services: { maintenance: { isClosedTo: (role) => role !== 'rootadmin' && isInMaintenance() } },
    registerRoutes: (app) => moderationRoutes(app, appContext),
    jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, deleteRemovedMessages) }],
  }
}
