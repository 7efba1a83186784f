import { routes } from '../../../shared/presence/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { listAllUsers } from './list-all-users.ts'

/** `/api/users/all-users`: all users, for root admins. */
export function presenceRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.allUsers, async ({ input: { after, ...filter } }) => ({
    success: true as const,
    ...(await listAllUsers(appContext, filter, after)),
  }))
}
