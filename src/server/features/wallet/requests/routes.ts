import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { ADDRESS_REQUEST_LIMIT } from '../../../../shared/wallet/requests/limits.ts'
import { routes as reviewed } from '../../../../shared/wallet/requests/protocol.ts'
import { routes as topUps } from '../../../../shared/wallet/top-ups/protocol.ts'
import { dayOf } from '../../../../shared/wallet/turkish-day.ts'
import { routes as withdrawals } from '../../../../shared/wallet/withdrawals/protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import { addressCharges } from '../../../kernel/http/address-charges.ts'
import type { NodeApp, NodeContext } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { listOwnRequests } from '../../../model/wallet/requests/queries.ts'
import { createStarRequest } from '../top-ups/create-star-request.ts'
import { requestWithdrawal } from '../withdrawals/request-withdrawal.ts'
import { decideRequest } from './decide-request.ts'
import { exportRequests } from './export-requests.ts'
import { listRequests, summariseRequests } from './review-queries.ts'

/** Asking for top-ups and withdrawals, one's own requests, and the lists and decisions of root admins. */
export function requestRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  registerRoute(app, appContext, topUps.createStarRequest, ({ input, actor, clientId, context }) => {
    // Guests are always refused, and must not use up what the members of their address may ask.
    const refusal = actor.role === 'guest' ? null : consumeRequestLimit(appContext, context)
    return refusal ?? execute(createStarRequest, actor, input, { clientId })
  })
  registerRoute(app, appContext, withdrawals.createWithdrawalRequest, ({ input, actor, clientId, context }) => {
    const refusal = consumeRequestLimit(appContext, context)
    return refusal ?? execute(requestWithdrawal, actor, input, { clientId })
  })
  registerRoute(app, appContext, topUps.ownStarRequests, ({ input: { before }, actor: { userId } }) => {
    const { requests, next } = listOwnRequests(reader, { userId, kind: 'star', before })
    return { success: true as const, starRequests: requests, next }
  })
  registerRoute(app, appContext, withdrawals.ownWithdrawalRequests, ({ input: { before }, actor: { userId } }) => {
    const { requests, next } = listOwnRequests(reader, { userId, kind: 'withdrawal', before })
    return { success: true as const, withdrawalRequests: requests, next }
  })
  for (const [route, kind, decision] of [
    [topUps.approveStarRequest, 'star', 'approved'],
    [topUps.rejectStarRequest, 'star', 'rejected'],
    [withdrawals.approveWithdrawalRequest, 'withdrawal', 'approved'],
    [withdrawals.rejectWithdrawalRequest, 'withdrawal', 'rejected'],
  ] as const)
    registerRoute(app, appContext, route, ({ input: { id }, actor, clientId }) =>
      execute(decideRequest, actor, { kind, id, decision }, { clientId }),
    )
  reviewRoutes(app, appContext)
}

/** Counts a new request for its address, if that can be attributed; the route's limiter counts it for the person. */
function consumeRequestLimit({ config, personLimiters, clock }: AppContext, context: NodeContext): Refusal | null {
  const waitMs = personLimiters.consumeAll(addressCharges(config, context, ADDRESS_REQUEST_LIMIT, 1), clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}

/** `/api/root-admin/requests`: the requests of both kinds, the sums of a day, and the export. */
function reviewRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, reviewed.moneyRequests, async ({ input }) => {
    const page = await appContext.readInWorker(listRequests, input)
    return page instanceof Refusal ? page : { success: true as const, ...page }
  })
  registerRoute(app, appContext, reviewed.requestSummary, ({ input: { day = dayOf(appContext.clock()) } }) => ({
    success: true as const,
    day,
    totals: summariseRequests(appContext.reader, day),
  }))
  registerRoute(app, appContext, reviewed.exportRequests, async ({ input }) => {
    const exported = await appContext.readInWorker(exportRequests, input)
    return exported instanceof Refusal ? exported : { success: true as const, ...exported }
  })
}
