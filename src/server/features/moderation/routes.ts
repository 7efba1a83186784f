import { routes } from '../../../shared/moderation/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { listActiveBans } from '../../model/moderation/queries.ts'
import { banUser } from './ban-user.ts'
import { liftBan } from './lift-ban.ts'

/** Bans, lifted bans and the list of bans under `/api/users`, for root admins. */
export function moderationRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.banUser, ({ actor, input, clientId }) =>
    appContext.execute(banUser, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.liftBan, ({ actor, input, clientId }) =>
    appContext.execute(liftBan, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.bannedUsers, ({ input: { before } }) => ({
    success: true as const,
    ...listActiveBans(appContext.reader, appContext.clock(), before),
  }))
}
