import type { Feature, FeatureContext } from '../features.ts'
import { regionRoutes } from './routes.ts'

/** What the region says of itself. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => regionRoutes(app, appContext) }
}
