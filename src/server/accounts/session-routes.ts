import { routes } from '../../shared/accounts/sessions-protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'
import { listSessions } from './list-sessions.ts'

/** `/api/users/sessions`: where one is signed in, and the end of it. */
export function sessionRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.sessions, ({ actor }) => ({ success: true as const, sessions: listSessions(world, actor) }))
  mount(app, world, routes.endSession, ({ actor, input }) => world.execute('endOwnSession', actor, input))
  mount(app, world, routes.endOtherSessions, ({ actor }) => world.execute('endOtherSessions', actor, {}))
}
