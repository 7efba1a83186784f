import { routes } from '../../shared/moderation/protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { banUser } from './ban-user.ts'
import { liftBan } from './lift-ban.ts'
import { listActiveBans } from './queries.ts'

/** `/api/users/ban` and what belongs to it, for root admins. */
export function moderationRoutes(app: NodeApp, world: AppContext): void {
  registerRoute(app, world, routes.banUser, ({ actor, input, clientId }) =>
    world.execute(banUser, actor, input, { clientId }),
  )

  registerRoute(app, world, routes.liftBan, ({ actor, input, clientId }) =>
    world.execute(liftBan, actor, input, { clientId }),
  )

  registerRoute(app, world, routes.bannedUsers, ({ input: { before } }) => ({
    success: true as const,
    ...listActiveBans(world.reader, world.clock(), before),
  }))
}
