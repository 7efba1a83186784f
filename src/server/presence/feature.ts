import type { Feature, FeatureContext } from '../features.ts'
import { presenceRoutes } from './routes.ts'

/** Presence: who is online. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => presenceRoutes(app, appContext) }
}
