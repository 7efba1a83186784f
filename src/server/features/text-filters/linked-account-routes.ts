import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { banMarks, liftMarkBan } from './ban-fingerprints.ts'
import { listFingerprintBans } from './fingerprint-ban-queries.ts'
import { findLinkedAccounts } from './linked-accounts.ts'
import { recordLookUp } from './record-look-up.ts'

/** Linked accounts and bans of browsers and addresses under `/api/moderation`, for root admins. */
export function linkedAccountRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, clock, execute } = appContext
  registerRoute(app, appContext, routes.linkedAccounts, async ({ actor, input }) => {
    const found = await execute(recordLookUp, actor, input)
    if (found instanceof Refusal) return found
    const now = clock()
    const user = reader.get(userById, { id: found.userId })
    if (!user) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const linked = await appContext.readInWorker(findLinkedAccounts, { userId: user.id, now })
    if (linked instanceof Refusal) return linked
    const isBanned = getActiveRestriction(reader, { kind: 'siteBan', userId: user.id }, now) !== undefined
    return { success: true as const, user: toUserSummary(user, now), isBanned, ...linked }
  })
  registerRoute(app, appContext, routes.banMarks, ({ actor, input, clientId }) =>
    execute(banMarks, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.markBans, ({ input: { before } }) => ({
    success: true as const,
    ...listFingerprintBans(reader, clock(), before),
  }))
  registerRoute(app, appContext, routes.liftMarkBan, ({ actor, input, clientId }) =>
    execute(liftMarkBan, actor, input, { clientId }),
  )
}
