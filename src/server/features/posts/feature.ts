import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { purgePosts } from './purge-posts.ts'
import { postRoutes } from './routes.ts'
import { endWatchingWithAccess, unwatchPosts, watchPosts } from './watch-posts.ts'

/** Photos and videos that users publish on their profiles. */
export function createFeature({ appContext }: FeatureContext): Feature {
  endWatchingWithAccess(appContext)
  return {
    handlers: { watchPosts, unwatchPosts, postArchived: () => ({ success: true }) },
    registerRoutes: (app) => postRoutes(app, appContext),
    jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, purgePosts) }],
  }
}
