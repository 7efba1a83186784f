import { routes } from '../../shared/moderation/protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import { listBans } from './queries.ts'

/** `/api/users/ban` and what belongs to it, for root admins. */
export function moderationRoutes(app: NodeApp, world: World): void {
  const confirm = world.settings.confirm

  mount(app, world, routes.banUser, ({ actor, input }) => world.execute('banUser', actor, input, { confirm }))

  mount(app, world, routes.liftBan, ({ actor, input }) => world.execute('liftBan', actor, input, { confirm }))

  mount(app, world, routes.bannedUsers, ({ input: { before } }) => ({
    success: true as const,
    ...listBans(world.read, world.clock(), before),
  }))
}
