import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { presenceRoutes } from './routes.ts'
import { syncGhosts } from './sync-ghosts.ts'

/** Presence: who is online. */
export function createFeature({ appContext }: FeatureContext): Feature {
  syncGhosts(appContext)
  return { registerRoutes: (app) => presenceRoutes(app, appContext) }
}
