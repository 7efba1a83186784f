import { routes } from '../../shared/presence/protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { listAllUsers } from './list-all-users.ts'

/** `/api/users/all-users`: everyone, for root admins. */
export function presenceRoutes(app: NodeApp, world: AppContext): void {
  registerRoute(app, world, routes.allUsers, async ({ input: { after, ...filter } }) => ({
    success: true as const,
    ...(await listAllUsers(world, filter, after)),
  }))
}
