import { routes } from '../../shared/presence/protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import { listAllUsers } from './list-all-users.ts'

/** `/api/users/all-users`: everyone, for root admins. */
export function presenceRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.allUsers, async ({ input: { after, ...filter } }) => ({
    success: true as const,
    ...(await listAllUsers(world, filter, after)),
  }))
}
