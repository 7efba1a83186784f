import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/relations/protocol.ts'
import { getHolder } from '../accounts/queries.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import { blockStatus, listBlocked } from './queries.ts'

/** `/api/users`: whom somebody has blocked. */
export function relationRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.blockUser, ({ input, actor }) => world.execute('blockUser', actor, input))
  mount(app, world, routes.unblockUser, ({ input, actor }) => world.execute('unblockUser', actor, input))
  mount(app, world, routes.blockedUsers, ({ input, actor }) => ({
    success: true as const,
    ...listBlocked(world.read, actor.userId, input.before),
  }))

  mount(app, world, routes.isBlocked, ({ input, actor }) =>
    world.read.snapshot((reader) => {
      const one = getHolder(reader, input.username1)
      const other = getHolder(reader, input.username2)
      const isOfThem = actor.userId === one?.id || actor.userId === other?.id
      if (!isOfThem && actor.role !== 'rootadmin') return refuse('Forbidden')
      if (!one || !other) return refuse('NotFound')
      return { success: true as const, ...blockStatus(reader, one.id, other.id) }
    }),
  )
}
