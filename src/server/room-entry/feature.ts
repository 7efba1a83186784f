import type { Feature, FeatureContext } from '../features.ts'
import { excludeFromRooms } from './room-exclusion.ts'
import { roomEntryRoutes } from './routes.ts'

/** Who may enter a room, and who may write to it. */
export function createFeature({ appContext }: FeatureContext): Feature {
  excludeFromRooms(appContext)
  return { registerRoutes: (app) => roomEntryRoutes(app, appContext) }
}
