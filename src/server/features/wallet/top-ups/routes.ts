import { routes } from '../../../../shared/wallet/top-ups/protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { listOwnRequests } from '../../../model/wallet/requests/queries.ts'
import { consumeRequestLimit } from '../requests/request-limits.ts'
import { createStarRequest } from './create-star-request.ts'
import { decideStarRequest } from './decide-star-request.ts'

/** `/api/star-requests`: loads of balance. */
export function topUpRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext

  registerRoute(app, appContext, routes.createStarRequest, ({ input, actor, clientId, context }) => {
    // Guests are always refused, and must not use up what the members of their address may ask.
    const refusal = actor.role === 'guest' ? null : consumeRequestLimit(appContext, context)
    return refusal ?? execute(createStarRequest, actor, input, { clientId })
  })
  registerRoute(app, appContext, routes.ownStarRequests, ({ input: { before }, actor }) => {
    const { requests, next } = listOwnRequests(reader, { userId: actor.userId, kind: 'star', before })
    return { success: true as const, starRequests: requests, next }
  })
  for (const [route, decision] of [
    [routes.approveStarRequest, 'approved'],
    [routes.rejectStarRequest, 'rejected'],
  ] as const) {
    registerRoute(app, appContext, route, ({ input: { id }, actor, clientId }) =>
      execute(decideStarRequest, actor, { id, decision }, { clientId }),
    )
  }
}
