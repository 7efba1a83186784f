import { routes } from '../../../../shared/accounts/roles-protocol.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { InputOf } from '../../../kernel/database/commands/define-command.ts'
import type { Actor } from '../../../kernel/database/transaction.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { changeRole } from './change-role.ts'

/** `/api/root-admin`: root admins promote and demote users. */
export function roleRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.promoteUser, ({ actor, clientId, input: { username } }) =>
    changeRoleAndLog(appContext, actor, { username, role: 'rootadmin' }, clientId),
  )
  registerRoute(app, appContext, routes.demoteUser, ({ actor, clientId, input: { username } }) =>
    changeRoleAndLog(appContext, actor, { username, role: 'member' }, clientId),
  )
}

/** The site's log records role changes, because the event log is pruned. */
async function changeRoleAndLog(
  { execute, log }: AppContext,
  actor: Actor,
  input: InputOf<typeof changeRole>,
  clientId: string | undefined,
) {
  const change = await execute(changeRole, actor, input, { clientId })
  if (change instanceof Refusal) return change
  const { targetId, previousRole } = change
  if (previousRole !== input.role)
    log.info({ actorId: actor.userId, targetId, before: previousRole, after: input.role }, 'role changed')
  return { success: true as const }
}
