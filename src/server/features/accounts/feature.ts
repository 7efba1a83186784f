import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { type Authentication, authentication } from '../../kernel/http/authentication.ts'
import { MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { ownPasswords, passwords } from '../../model/accounts/passwords.ts'
import { findSessionUser, firstRootAdmin } from '../../model/accounts/queries.ts'
import { PasswordHasher } from './passwords/password-hasher.ts'
import { createOwnPasswordVerifier } from './passwords/verify-own-password.ts'
import { roleRoutes } from './roles/routes.ts'
import { authenticateRequest, readPageSession, signInAgain } from './sessions/page-session.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { needsTouch, touchSession } from './sessions/touch-session.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { createSignInLimits } from './sign-in/sign-in-limits.ts'
import { authenticate, authenticateAdmin } from './tokens/authenticate.ts'
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
  const limits = createSignInLimits(appContext.config, appContext.clock)
  const signIn = { appContext, limits, passwords: new PasswordHasher() }
  return {
    handlers: { updatePrivacySettings },
    services: [
      authentication.providedBy(createAuthentication(appContext)),
      ownPasswords.providedBy(createOwnPasswordVerifier(signIn)),
      passwords.providedBy(signIn.passwords),
    ],
    live: {
      onHello({ context, actor, session }) {
        if (!needsTouch(session, context.clock())) return {}
        return { afterOpen: () => void context.execute(touchSession, actor, {}) }
      },
    },
    registerRoutes(app, pages) {
      signInRoutes(app, signIn, (context, form) => pages.open('index', context, form))
      roleRoutes(app, appContext)
      sessionRoutes(app, appContext)
    },
    onPromoted() {
      if (!appContext.reader.get(firstRootAdmin))
        appContext.log.info('there is no root admin yet: npm run admin -- <username> makes one')
    },
    jobs: [
      { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: touchOnlineUsers },
      { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: () => runInSteps(execute, sweepAccounts) },
    ],
  }
}

function createAuthentication(appContext: AppContext): Authentication {
  return {
    authenticate: (token) => authenticate(appContext, token),
    authenticateAdmin: (token) => authenticateAdmin(appContext, token),
    authenticateRequest: (context) => authenticateRequest(appContext, context),
    signInAgain: (context, claims) => signInAgain(appContext, context, claims),
    readPageSession: (context) => readPageSession(appContext, context),
    findSessionUser: (reader, claims) => findSessionUser(reader, claims, appContext.clock()),
  }
}
