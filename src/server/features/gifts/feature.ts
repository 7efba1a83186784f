import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { handleSendGift } from './live-handlers.ts'
import { giftRoutes } from './routes.ts'

/** Gifts from one member to another. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { handlers: { sendGift: handleSendGift }, registerRoutes: (app) => giftRoutes(app, appContext) }
}
