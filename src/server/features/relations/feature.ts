import type { UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { OpenConnection } from '../../kernel/live/connection.ts'
import type { PublishedEvent, Publisher } from '../../kernel/live/publisher.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import { acceptAndDoNothing, followRoutes } from './follow-routes.ts'
import { relationRoutes } from './routes.ts'

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

/** Updates the block lists of this region's connections, so that events after a block are filtered by it. */
function syncViewerBlocks(publisher: Publisher, connectionsOf: (userId: UserId) => OpenConnection[]): void {
  const update = ({ payload, row }: PublishedEvent<'userBlocked' | 'userUnblocked'>) => {
    const { blockerId, blockedId } = payload
    if (row.stream !== userStream(blockerId)) return
    for (const { state } of connectionsOf(blockerId)) {
      const { identity } = state
      const blockedIds = new Set(identity.viewer.blockedIds)
      if (row.name === 'userBlocked') blockedIds.add(blockedId)
      else blockedIds.delete(blockedId)
      identity.viewer = { ...identity.viewer, blockedIds }
    }
  }
  publisher.on('userBlocked', update)
  publisher.on('userUnblocked', update)
}
