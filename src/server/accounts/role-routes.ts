import { routes } from '../../shared/accounts/roles-protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'

/** `/api/root-admin`: who is a root admin, as root admins decide. */
export function roleRoutes(app: NodeApp, world: World): void {
  const confirm = world.settings.confirm

  mount(app, world, routes.promoteUser, ({ actor, input: { username } }) =>
    world.execute('changeRole', actor, { username, role: 'rootadmin' }, { confirm }),
  )
  mount(app, world, routes.demoteUser, ({ actor, input: { username } }) =>
    world.execute('changeRole', actor, { username, role: 'member' }, { confirm }),
  )
}
