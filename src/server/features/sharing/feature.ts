import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { sharingRoutes } from './routes.ts'

/** What search engines and previews of links read: robots.txt, the sitemap and the rooms' pictures. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => sharingRoutes(app, appContext) }
}
