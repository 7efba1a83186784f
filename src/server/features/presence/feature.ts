import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { presenceStreamFor } from '../../kernel/presence/streams.ts'
import { presenceRoutes } from './routes.ts'
import { syncGhosts } from './sync-ghosts.ts'

/** Presence: who is online, and several connections of one user. */
export function createFeature({ appContext }: FeatureContext): Feature {
  syncGhosts(appContext)
  return {
    handlers: {
      confirmDuplicateConnection: ({ duplicates }, connection) => {
        duplicates.takeOver(connection)
        return { success: true }
      },
    },
    registerRoutes: (app) => presenceRoutes(app, appContext),
    live: {
      onHello: ({ context, connection, user }) => ({
        streams: [presenceStreamFor(user.role)],
        afterOpen: () => context.presence.addConnection(connection),
      }),
    },
  }
}
