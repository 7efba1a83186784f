import { routes } from '../../../shared/notifications/protocol.ts'
import { tabsOf } from '../../../shared/notifications/rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { listNotifications, unreadCounts } from '../../model/notifications/queries.ts'
import { deleteOldNotifications } from './delete-old-notifications.ts'
import { markNotificationRead, markTabRead } from './mark-read.ts'
import { notifyConnection } from './notify-connection.ts'

const notificationRead: Handler<'notificationRead'> = (appContext, { identity }, { notificationId, remove }) =>
  appContext.execute(markNotificationRead, identity?.viewer ?? null, { notificationId, isRemoved: remove })

const notificationTabRead: Handler<'notificationTabRead'> = (appContext, { identity }, { tab, upTo, remove }) =>
  appContext.execute(markTabRead, identity?.viewer ?? null, { tab, upTo, isRemoved: remove })

/** What users are notified of. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    handlers: { notificationRead, notificationTabRead },
    live: notifyConnection,
    registerRoutes: (app) => notificationRoutes(app, appContext),
    jobs: [
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, deleteOldNotifications) },
    ],
  }
}

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
