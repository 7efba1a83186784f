import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { confirmDuplicateConnection } from '../../kernel/presence/duplicate-connections.ts'
import { presenceRoutes } from './routes.ts'
import { syncGhosts } from './sync-ghosts.ts'

/** Presence: who is online, and several connections of one user. */
export function createFeature({ appContext }: FeatureContext): Feature {
  syncGhosts(appContext)
 presenceRoutes(app, appContext) }=>  return {
    handlers: { confirmDuplicateConnection },
    registerRoutes: (app) => presenceRoutes(app, appContext),
  }=> presenceRoutes(app, appContext) }
}
