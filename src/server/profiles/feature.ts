import type { Feature, FeatureContext } from '../features.ts'
import { profileRoutes } from './routes.ts'

/** What people say of themselves. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app, { passwords }) => profileRoutes(app, appContext, passwords) }
}
