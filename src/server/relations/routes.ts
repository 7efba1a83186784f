import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/relations/protocol.ts'
import { getHolder } from '../accounts/queries.ts'
import type { Actor } from '../database/transact.ts'
import { createLimiter } from '../http/limits.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import type { Whom } from './block-user.ts'
import { blockStatus, listBlocked } from './queries.ts'

/** The other one hears of each, and could be told without end: 30 at once, then one in 10 seconds. */
const CHANGES = { points: 30, perMs: 5 * 60_000 }

/** `/api/users`: whom somebody has blocked. */
export function relationRoutes(app: NodeApp, world: World): void {
  const changes = createLimiter({ ...CHANGES, points: CHANGES.points * world.settings.limitScale })
  const change = (name: 'blockUser' | 'unblockUser', actor: Actor, whom: Whom) => {
    const waitMs = changes.take(String(actor.userId), world.clock())
    return waitMs > 0 ? refuse('RateLimited', { waitMs }) : world.execute(name, actor, whom)
  }
  mount(app, world, routes.blockUser, ({ input, actor }) => change('blockUser', actor, input))
  mount(app, world, routes.unblockUser, ({ input, actor }) => change('unblockUser', actor, input))
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
