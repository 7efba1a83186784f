import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/relations/protocol.ts'
import { findUserByName } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transact.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import type { BlockUserInput } from './block-user.ts'
import { blockStatus, listBlockedUsers } from './queries.ts'

/** The other one hears of each, and could be told without end: 30 at once, then one in 10 seconds. */
const BLOCK_CHANGES_LIMIT = { points: 30, perMs: 5 * 60_000 }

/** `/api/users`: whom somebody has blocked. */
export function relationRoutes(app: NodeApp, world: AppContext): void {
  const changes = createRateLimiter({
    ...BLOCK_CHANGES_LIMIT,
    points: BLOCK_CHANGES_LIMIT.points * world.settings.limitScale,
  })
  const change = (name: 'blockUser' | 'unblockUser', actor: Actor, whom: BlockUserInput) => {
    const waitMs = changes.consume(String(actor.userId), world.clock())
    return waitMs > 0 ? refuse('RateLimited', { waitMs }) : world.execute(name, actor, whom)
  }
  registerRoute(app, world, routes.blockUser, ({ input, actor }) => change('blockUser', actor, input))
  registerRoute(app, world, routes.unblockUser, ({ input, actor }) => change('unblockUser', actor, input))
  registerRoute(app, world, routes.blockedUsers, ({ input, actor }) => ({
    success: true as const,
    ...listBlockedUsers(world.reader, actor.userId, input.before),
  }))

  registerRoute(app, world, routes.isBlocked, ({ input, actor }) =>
    world.reader.snapshot((reader) => {
      const one = findUserByName(reader, input.username1)
      const other = findUserByName(reader, input.username2)
      const isOfThem = actor.userId === one?.id || actor.userId === other?.id
      if (!isOfThem && actor.role !== 'rootadmin') return refuse('Forbidden')
      if (!one || !other) return refuse('NotFound')
      return { success: true as const, ...blockStatus(reader, one.id, other.id) }
    }),
  )
}
