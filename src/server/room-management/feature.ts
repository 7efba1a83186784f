import type { Feature, FeatureContext } from '../features.ts'
import { roomManagementRoutes } from './routes.ts'

/** What the owner, the admins and root admins change in a room. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => roomManagementRoutes(app, appContext) }
}
