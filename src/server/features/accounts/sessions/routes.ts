import { routes } from '../../../../shared/accounts/sessions-protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { endOtherSessions, endOwnSession } from './end-own-sessions.ts'
import { listSessions } from './list-sessions.ts'

/** `/api/users/sessions`: lists and ends the actor's sessions. */
export function sessionRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.sessions, ({ actor }) => ({
    success: true as const,
    sessions: listSessions(appContext, actor),
  }))
  registerRoute(app, appContext, routes.endSession, ({ actor, input, clientId }) =>
    appContext.execute(endOwnSession, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.endOtherSessions, ({ actor, clientId }) =>
    appContext.execute(endOtherSessions, actor, {}, { clientId }),
  )
}
