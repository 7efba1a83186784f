import type { Feature, FeatureContext } from '../features.ts'
import { presenceRoutes } from './routes.ts'

/** Who is here. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => presenceRoutes(app, appContext) }
}
