import { routes } from '../../../shared/accounts/sessions-protocol.ts'
import type { AppContext } from '../../app-context.ts'
import { type NodeApp, registerRoute } from '../../http/route.ts'
import { endOtherSessions, endOwnSession } from './end-own-sessions.ts'
import { listSessions } from './list-sessions.ts'

/** `/api/users/sessions`: where one is signed in, and the end of it. */
export function sessionRoutes(app: NodeApp, world: AppContext): void {
  registerRoute(app, world, routes.sessions, ({ actor }) => ({
    success: true as const,
    sessions: listSessions(world, actor),
  }))
  registerRoute(app, world, routes.endSession, ({ actor, input, clientId }) =>
    world.execute(endOwnSession, actor, input, { clientId }),
  )
  registerRoute(app, world, routes.endOtherSessions, ({ actor, clientId }) =>
    world.execute(endOtherSessions, actor, {}, { clientId }),
  )
}
