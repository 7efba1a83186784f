import { routes } from '../../shared/profiles/protocol.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { toAbout, toPerson, userById } from '../accounts/queries.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import { privacyOf } from '../settings/queries.ts'
import type { World } from '../world.ts'

/** `/api/users`: what people say of themselves. */
export function profileRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.account, ({ actor }) => {
    const row = world.read.get(userById, { id: actor.userId })
    if (!row) return refuse('SessionEnded')
    const person = toPerson(row, world.presence.isOnline(row.id), world.clock())
    return { success: true as const, user: { ...person, ...toAbout(row), ...privacyOf(row) } }
  })
}
