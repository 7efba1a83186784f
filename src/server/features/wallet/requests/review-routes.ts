import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { routes } from '../../../../shared/wallet/requests/protocol.ts'
import { dayOf } from '../../../../shared/wallet/turkish-day.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { exportRequests } from './export-requests.ts'
import { listRequests, summariseRequests } from './review-queries.ts'

/** `/api/root-admin/requests`: the requests of both kinds, the sums of a day, and the export. */
export function reviewRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.moneyRequests, async ({ input }) => {
    const page = await appContext.readInWorker(listRequests, input)
    return page instanceof Refusal ? page : { success: true as const, ...page }
  })
  registerRoute(app, appContext, routes.requestSummary, ({ input: { day = dayOf(appContext.clock()) } }) => ({
    success: true as const,
    day,
    totals: summariseRequests(appContext.reader, day),
  }))
  registerRoute(app, appContext, routes.exportRequests, async ({ input }) => {
    const exported = await appContext.readInWorker(exportRequests, input)
    return exported instanceof Refusal ? exported : { success: true as const, ...exported }
  })
}
