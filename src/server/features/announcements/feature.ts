import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { announcementRoutes } from './routes.ts'

/** Popups of root admins to everyone, and of a room's staff to the room. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => announcementRoutes(app, appContext) }
}
