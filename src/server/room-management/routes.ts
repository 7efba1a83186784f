import { routes } from '../../shared/room-management/protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { addRoomAdmin } from './add-room-admin.ts'
import { removeRoomAdmin } from './remove-room-admin.ts'

/** Changes of a room by those who run it, under `/api/rooms`. */
export function roomManagementRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.addRoomAdmin, ({ actor, input, clientId }) =>
    appContext.execute(addRoomAdmin, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.removeRoomAdmin, ({ actor, input, clientId }) =>
    appContext.execute(removeRoomAdmin, actor, input, { clientId }),
  )
}
