import { type OwnAccount, routes } from '../../shared/profiles/protocol.ts'
import { profileTexts } from '../../shared/profiles/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { toPerson, toProfileDetails, userById } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { privacyOf } from '../settings/queries.ts'
import { createProfileUpdater, type PasswordVerifier } from './profile-updater.ts'

/** `/api/users`: the actor's own account and its update. */
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
    return user instanceof Refusal ? user : { success: true as const, message: profileTexts.updated, user }
  })
}

function getOwnAccount(appContext: AppContext, userId: UserId): OwnAccount | Refusal {
  const row = appContext.reader.get(userById, { id: userId })
  if (!row) return refuse('SessionEnded')
  const person = toPerson(row, appContext.presence.isOnline(row.id), appContext.clock())
  return { ...person, ...toProfileDetails(row), ...privacyOf(row) }
}
