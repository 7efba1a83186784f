import type { Feature, FeatureContext } from '../features.ts'
import { relationRoutes } from './routes.ts'
import { syncViewerBlocks } from './sync-viewer-blocks.ts'

/** Blocks between users. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { publisher, presence } = appContext
  syncViewerBlocks(publisher, (userId) => presence.connectionsOf(userId))
  return { registerRoutes: (app) => relationRoutes(app, appContext) }
}
