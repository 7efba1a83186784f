import { routes } from '../../../shared/moderation/protocol.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { memoizePerTick } from '../../kernel/database/memoize-per-tick.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { maintenance } from '../../kernel/http/authentication.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import type { Handshake, HelloPart } from '../../kernel/live/define-live-hooks.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { MINUTE_MS, runInSteps, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { getMaintenanceSince } from '../../model/moderation/queries.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { listEndedGhosts, listRestrictions, toBan } from '../../model/restrictions/queries.ts'
import { banUser } from './ban-user.ts'
import { expireGhostBans } from './expire-ghost-bans.ts'
import { liftBan } from './lift-ban.ts'
import { handleBanUser, handleClearRoomMessages, handleGhostBanGuest } from './live-handlers.ts'

/** Bans, cleared rooms, maintenance. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { clock, execute, reader } = appContext
  // Every command asks. `npm run admin` writes from another process, so the flag cannot only follow its event.
  const isInMaintenance = memoizePerTick(() => getMaintenanceSince(reader) !== null)
  // Most of the time there is nothing to write.
  const endGhostBans = async () => {
    if (listEndedGhosts(reader, clock(), 1).length > 0) await runInSteps(execute, expireGhostBans)
  }
  return {
    handlers: {
      banUser: handleBanUser,
      clearRoomMessages: handleClearRoomMessages,
      ghostBanGuest: handleGhostBanGuest,
    },
    services: [maintenance.providedBy({ isClosedTo: (role) => role !== 'rootadmin' && isInMaintenance() })],
    live: { onHello: announceMaintenance },
    registerRoutes: (app) => moderationRoutes(app, appContext),
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, deleteRemovedMessages) },
      { intervalMs: 10 * SECOND_MS, isPrimaryOnly: true, run: endGhostBans },
    ],
  }
}

/** Root admins, who may connect during maintenance, hear that it is on. */
function announceMaintenance({ context, connection, user }: Handshake): HelloPart {
  return {
    afterAnswer: () => {
      if (!context.service(maintenance).isClosedTo(user.role)) return
      const { message } = refusals.Maintenance
      context.publisher.enqueue(connection, encodeEphemeral('serverMaintenance', { isOn: true, message }))
    },
  }
}

/** Bans, lifted bans and the list of bans under `/api/users`, for root admins. */
export function moderationRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.banUser, ({ actor, input, clientId }) =>
    appContext.execute(banUser, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.liftBan, ({ actor, input, clientId }) =>
    appContext.execute(liftBan, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.bannedUsers, ({ input: { before } }) => {
    const { reader, clock } = appContext
    const { items, next } = listRestrictions(reader, { kinds: ['siteBan', 'ghostBan'] }, clock(), before)
    return { success: true as const, bannedUsers: items.map(toBan), next }
  })
}
