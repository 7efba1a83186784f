import { routes } from '../../../shared/notifications/protocol.ts'
import { tabsOf } from '../../../shared/notifications/rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { listNotifications, unreadCounts } from '../../model/notifications/queries.ts'

/** `/api/notifications`: the pages of a tab. */
export function notificationRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.notifications, ({ input: { tab, before }, actor }) => {
    if (!tabsOf(actor.role).includes(tab)) return refuse('Forbidden')
    return appContext.reader.snapshot((snapshot) => ({
      success: true as const,
      ...listNotifications(snapshot, actor.userId, tab, appContext.clock(), before),
      unread: unreadCounts(snapshot, actor.userId),
    }))
  })
}
