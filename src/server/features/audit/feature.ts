import { routes } from '../../../shared/audit/protocol.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { listActions } from './list-actions.ts'

/** The log of what root admins, room admins and the server did. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { registerRoutes: (app) => auditRoutes(app, appContext) }
}

/** `/api/moderation/actions`, for root admins. No route writes to the log. */
export function auditRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.actions, async ({ input }) => {
    const page = await appContext.readInWorker(listActions, input)
    return page instanceof Refusal ? page : { success: true as const, ...page }
  })
}
