import type { Feature, FeatureContext } from '../features.ts'
import { profileRoutes } from './routes.ts'

/** Profiles of members and their own account. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => profileRoutes(app, appContext, appContext.services().ownPasswords) }
}
