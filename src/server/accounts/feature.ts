import type { Feature, FeatureContext } from '../features.ts'
import { MINUTE_MS, runInSteps } from '../region-jobs.ts'
import { roleRoutes } from './roles/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { sweepAccounts } from './users/sweep-accounts.ts'
import { touchUsers } from './users/touch-users.ts'
import { updatePrivacySettings } from './users/update-privacy-settings.ts'

/** Sign-in, sessions, roles, and the sweep of expired accounts. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { execute, presence } = appContext
  /** Writes `lastSeenAt` of the users who are online in this region, and of their sessions. */
  const touchOnlineUsers = async () => {
    const userIds = presence.onlineUserIds()
    if (userIds.length) await execute(touchUsers, null, { userIds, sessionIds: presence.onlineSessionIds() })
  }
  return {
    handlers: { updatePrivacySettings },
    registerRoutes(app, { signIn, rerenderLanding }) {
      signInRoutes(app, signIn, rerenderLanding)
      roleRoutes(app, appContext)
      sessionRoutes(app, appContext)
    },
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: touchOnlineUsers },
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, sweepAccounts) },
    ],
  }
}
