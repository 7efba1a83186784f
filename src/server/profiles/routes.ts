import { type OwnAccount, routes } from '../../shared/profiles/protocol.ts'
import { profileTexts } from '../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { toAbout, toPerson, userById } from '../accounts/queries.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import { privacyOf } from '../settings/queries.ts'
import type { World } from '../world.ts'
import { type PasswordDoor, profileUpdate } from './update.ts'

/** `/api/users`: what people say of themselves. */
export function profileRoutes(app: NodeApp, world: World, passwords: PasswordDoor): void {
  mount(app, world, routes.account, ({ actor }) => {
    const user = ownAccount(world, actor.userId)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  const update = profileUpdate(world, passwords)
  mount(app, world, routes.updateProfile, async (call) => {
    const updated = await update(call)
    if (updated instanceof Refusal) return updated
    const user = ownAccount(world, call.actor.userId)
    return user instanceof Refusal ? user : { success: true as const, message: profileTexts.updated, user }
  })
}

function ownAccount(world: World, userId: number): OwnAccount | Refusal {
  const row = world.read.get(userById, { id: userId })
  if (!row) return refuse('SessionEnded')
  const person = toPerson(row, world.presence.isOnline(row.id), world.clock())
  return { ...person, ...toAbout(row), ...privacyOf(row) }
}
