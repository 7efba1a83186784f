import { type OwnAccount, routes } from '../../shared/profiles/protocol.ts'
import { profileTexts } from '../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { toPerson, toProfileDetails, userById } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { privacyOf } from '../settings/queries.ts'
import { createProfileUpdater, type PasswordVerifier } from './profile-updater.ts'

/** `/api/users`: what people say of themselves. */
export function profileRoutes(app: NodeApp, world: AppContext, passwords: PasswordVerifier): void {
  registerRoute(app, world, routes.account, ({ actor }) => {
    const user = getOwnAccount(world, actor.userId)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  const update = createProfileUpdater(world, passwords)
  registerRoute(app, world, routes.updateProfile, async (call) => {
    const updated = await update(call)
    if (updated instanceof Refusal) return updated
    const user = getOwnAccount(world, call.actor.userId)
    return user instanceof Refusal ? user : { success: true as const, message: profileTexts.updated, user }
  })
}

function getOwnAccount(world: AppContext, userId: number): OwnAccount | Refusal {
  const row = world.reader.get(userById, { id: userId })
  if (!row) return refuse('SessionEnded')
  const person = toPerson(row, world.presence.isOnline(row.id), world.clock())
  return { ...person, ...toProfileDetails(row), ...privacyOf(row) }
}
