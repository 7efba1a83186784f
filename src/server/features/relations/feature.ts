import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import { acceptAndDoNothing, followRoutes } from './follow-routes.ts'
import { relationRoutes } from './routes.ts'
import { syncViewerBlocks } from './sync-viewer-blocks.ts'

/** Blocks and follows between users. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { publisher, presence } = appContext
  syncViewerBlocks(publisher, (userId) => presence.connectionsOf(userId))
  return {
    handlers: {
      followUser: acceptAndDoNothing,
      followAccepted: acceptAndDoNothing,
      unfollowUser: acceptAndDoNothing,
      removeFollowNotification: acceptAndDoNothing,
    },
    live: { onHello: ({ reader, actor }) => ({ blockedIds: viewerOf(reader, actor).blockedIds }) },
    registerRoutes: (app) => {
      relationRoutes(app, appContext)
      followRoutes(app, appContext)
    },
  }
}
