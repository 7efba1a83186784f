import type { Feature, FeatureContext } from '../features.ts'
import { announcementRoutes } from './routes.ts'

/** Popups that root admins send. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => announcementRoutes(app, appContext) }
}
