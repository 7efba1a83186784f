import type { Feature, FeatureContext } from '../features.ts'
import { ledgerRoutes } from './ledger-routes.ts'

/** The virtual balance of members. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => ledgerRoutes(app, appContext) }
}
