import { routes } from '../../../shared/accounts/roles-protocol.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../app-context.ts'
import type { InputOf } from '../../database/define-write.ts'
import type { Actor } from '../../database/transact.ts'
import { type NodeApp, registerRoute } from '../../http/route.ts'
import { changeRole } from './change-role.ts'

/** `/api/root-admin`: who is a root admin, as root admins decide. */
export function roleRoutes(app: NodeApp, world: AppContext): void {
  registerRoute(app, world, routes.promoteUser, ({ actor, clientId, input: { username } }) =>
    changeRoleAndLog(world, actor, { username, role: 'rootadmin' }, clientId),
  )
  registerRoute(app, world, routes.demoteUser, ({ actor, clientId, input: { username } }) =>
    changeRoleAndLog(world, actor, { username, role: 'member' }, clientId),
  )
}

/** The log of the site is the record of it that outlives the log of events. */
async function changeRoleAndLog(
  { execute, log }: AppContext,
  actor: Actor,
  input: InputOf<typeof changeRole>,
  clientId: string | undefined,
) {
  const changed = await execute(changeRole, actor, input, { clientId })
  if (changed instanceof Refusal) return changed
  const { targetId, previousRole } = changed
  if (previousRole !== input.role)
    log.info({ actorId: actor.userId, targetId, before: previousRole, after: input.role }, 'role changed')
  return { success: true as const }
}
