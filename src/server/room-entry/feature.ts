import type { Feature, FeatureContext } from '../features.ts'
import { roomEntryRoutes } from './routes.ts'

/** Who may enter a room, and who may write to it. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => roomEntryRoutes(app, appContext) }
}
