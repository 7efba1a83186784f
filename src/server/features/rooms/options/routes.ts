import { routes } from '../../../../shared/rooms/options-protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { listCapacityOptions, listDurationOptions } from '../../../model/rooms/options/queries.ts'
import { capacityOptionCommands } from './capacity-option-commands.ts'
import { durationOptionCommands } from './duration-option-commands.ts'

/** `/api/root-admin`: the capacities and durations of rooms; everyone reads them, root admins edit them. */
export function roomOptionRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  registerRoute(app, appContext, routes.capacityOptions, () => listCapacityOptions(reader))
  registerRoute(app, appContext, routes.durationOptions, () => listDurationOptions(reader))

  registerRoute(app, appContext, routes.addCapacityOption, ({ actor, input, clientId }) =>
    execute(capacityOptionCommands.add, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.updateCapacityOption, ({ actor, input, clientId }) =>
    execute(capacityOptionCommands.update, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.deleteCapacityOption, ({ actor, input, clientId }) =>
    execute(capacityOptionCommands.remove, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.addDurationOption, ({ actor, input, clientId }) =>
    execute(durationOptionCommands.add, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.updateDurationOption, ({ actor, input, clientId }) =>
    execute(durationOptionCommands.update, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.deleteDurationOption, ({ actor, input, clientId }) =>
    execute(durationOptionCommands.remove, actor, input, { clientId }),
  )
}
