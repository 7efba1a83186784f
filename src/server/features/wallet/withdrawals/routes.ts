import { routes } from '../../../../shared/wallet/withdrawals/protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { listOwnRequests } from '../../../model/wallet/requests/queries.ts'
import { consumeRequestLimit } from '../requests/request-limits.ts'
import { decideWithdrawal } from './decide-withdrawal.ts'
import { requestWithdrawal } from './request-withdrawal.ts'

/** `/api/withdrawal-requests`: asking for a payment, one's own requests, and the decisions of root admins. */
export function withdrawalRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  registerRoute(app, appContext, routes.createWithdrawalRequest, ({ input, actor, clientId, context }) => {
    const refusal = consumeRequestLimit(appContext, context)
    return refusal ?? execute(requestWithdrawal, actor, input, { clientId })
  })
  registerRoute(app, appContext, routes.ownWithdrawalRequests, ({ input: { before }, actor: { userId } }) => {
    const { requests, next } = listOwnRequests(reader, { userId, kind: 'withdrawal', before })
    return { success: true as const, withdrawalRequests: requests, next }
  })
  for (const [route, decision] of [
    [routes.approveWithdrawalRequest, 'approved'],
    [routes.rejectWithdrawalRequest, 'rejected'],
  ] as const)
    registerRoute(app, appContext, route, ({ input: { id }, actor, clientId }) =>
      execute(decideWithdrawal, actor, { id, decision }, { clientId }),
    )
}
