import type { Feature, FeatureContext } from '../feature.ts'
import { regionRoutes } from './routes.ts'

/** Registers `GET /api/region`. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => regionRoutes(app, appContext) }
}
