import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { ownPasswords } from '../../model/accounts/passwords.ts'
import { profileRoutes } from './routes.ts'
import { notifyOfAccountPrivacy, unwatchProfile, watchProfile } from './watch-profile.ts'

/** Profiles of members and their own account. */
export function createFeature({ appContext }: FeatureContext): Feature {
  notifyOfAccountPrivacy(appContext)
  return {
    handlers: { watchProfile, unwatchProfile },
    registerRoutes: (app) => profileRoutes(app, appContext, appContext.service(ownPasswords)),
  }
}
