import { routes } from '../../shared/accounts/roles-protocol.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { WriteInput } from '../database/commands.ts'
import type { Actor } from '../database/transact.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'

/** `/api/root-admin`: who is a root admin, as root admins decide. */
export function roleRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.promoteUser, ({ actor, input: { username } }) =>
    change(world, actor, { username, role: 'rootadmin' }),
  )
  mount(app, world, routes.demoteUser, ({ actor, input: { username } }) =>
    change(world, actor, { username, role: 'member' }),
  )
}

/** The log of the site is the record of it that outlives the log of events. */
async function change({ execute, settings, log }: World, actor: Actor, input: WriteInput<'changeRole'>) {
  const changed = await execute('changeRole', actor, input, { confirm: settings.confirm })
  if (changed instanceof Refusal) return changed
  const { targetId, before } = changed
  if (before !== input.role) log.info({ actorId: actor.userId, targetId, before, after: input.role }, 'role changed')
  return { success: true as const }
}
