import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { presenceStreamFor } from '../../kernel/presence/streams.ts'
import { ghostUsers } from '../../model/presence/queries.ts'
import { presenceRoutes } from './routes.ts'

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

/** Hides ghost-banned users from the presence of this region, as its log says. */
function syncGhosts({ publisher, presence, reader }: Pick<AppContext, 'publisher' | 'presence' | 'reader'>): void {
  const readAll = () => presence.replaceGhosts(reader.all(ghostUsers).map(({ id }) => id))
  readAll()
  publisher.onReset(readAll)
  publisher.on('ghostBanned', ({ payload }) => presence.setGhost(payload.userId, true))
  publisher.on('ghostBanLifted', ({ payload }) => presence.setGhost(payload.userId, false))
}
