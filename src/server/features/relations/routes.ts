import { refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/relations/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { findUserByName } from '../../model/accounts/queries.ts'
import { blockStatus, listBlockedUsers } from '../../model/relations/queries.ts'
import { blockUser } from './block-user.ts'
import { unblockUser } from './unblock-user.ts'

/** `/api/users`: blocks, their list, and the block status of two users. */
export function relationRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.blockUser, ({ input, actor, clientId }) =>
    appContext.execute(blockUser, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.unblockUser, ({ input, actor, clientId }) =>
    appContext.execute(unblockUser, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.blockedUsers, ({ input, actor }) => ({
    success: true as const,
    ...listBlockedUsers(appContext.reader, actor.userId, input.before),
  }))

  registerRoute(app, appContext, routes.isBlocked, ({ input, actor }) =>
    appContext.reader.snapshot((reader) => {
      const one = findUserByName(reader, input.username1)
      const other = findUserByName(reader, input.username2)
      const isParticipant = actor.userId === one?.id || actor.userId === other?.id
      if (!isParticipant && actor.role !== 'rootadmin') return refuse('Forbidden')
      if (!one || !other) return refuse('NotFound')
      if (actor.userId !== other.id) return { success: true as const, ...blockStatus(reader, one.id, other.id) }
      const { hasBlockedProfile, isBlockedByProfile } = blockStatus(reader, other.id, one.id)
      return { success: true as const, hasBlockedProfile: isBlockedByProfile, isBlockedByProfile: hasBlockedProfile }
    }),
  )
}
