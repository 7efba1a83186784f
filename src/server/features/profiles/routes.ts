import { routes as accountRoutes } from '../../../shared/accounts/protocol.ts'
import { routes as consolidatedRoutes } from '../../../shared/profiles/consolidated-protocol.ts'
import { type OwnAccount, routes } from '../../../shared/profiles/protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { authentication } from '../../kernel/http/authentication.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import type { PasswordVerifier } from '../../model/accounts/passwords.ts'
import { toPerson, toProfileDetails, userById } from '../../model/accounts/queries.ts'
import { privacyOf } from '../../model/settings/queries.ts'
import { createProfileUpdater } from './profile-updater.ts'
import { readConsolidatedProfile, readProfileByName } from './read-profile.ts'

/** `/api/users`: the actor's own account and its update, and the profiles of users by name. */
export function profileRoutes(app: NodeApp, appContext: AppContext, passwords: PasswordVerifier): void {
  registerRoute(app, appContext, routes.account, ({ actor }) => {
    const user = getOwnAccount(appContext, actor.userId)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  const update = createProfileUpdater(appContext, passwords)
  registerRoute(app, appContext, routes.updateProfile, async (call) => {
    const updated = await update(call)
    if (updated instanceof Refusal) return updated
    const user = getOwnAccount(appContext, call.actor.userId)
    if (user instanceof Refusal) return user
    const answer = { success: true as const, message: profileTexts.updated, user }
    if (!updated.claims) return answer
    const token = await appContext.service(authentication).signInAgain(call.context, updated.claims)
    return token instanceof Refusal ? token : { ...answer, token }
  })
  registerRoute(app, appContext, accountRoutes.userByName, ({ input, actor }) => {
    const user = readProfileByName(appContext, actor, input.name)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  registerRoute(app, appContext, consolidatedRoutes.consolidatedProfile, ({ input, actor }) =>
    readConsolidatedProfile(appContext, actor, input.name, { guestsOnly: false }),
  )
  registerRoute(app, appContext, consolidatedRoutes.consolidatedGuestProfile, ({ input, actor }) =>
    readConsolidatedProfile(appContext, actor, input.name, { guestsOnly: true }),
  )
}

function getOwnAccount(appContext: AppContext, userId: UserId): OwnAccount | Refusal {
  const row = appContext.reader.get(userById, { id: userId })
  if (!row) return refuse('SessionEnded')
  const person = toPerson(row, appContext.presence.isConnected(row.id), appContext.clock())
  return { ...person, ...toProfileDetails(row), ...privacyOf(row) }
}
