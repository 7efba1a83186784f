import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { auditRoutes } from './routes.ts'

/** The log of what root admins, room admins and the server did. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => auditRoutes(app, appContext) }
}
