import { Refusal } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/room-management/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { listVisitors } from '../../model/rooms/management-queries.ts'
import { addRoomAdmin } from './add-room-admin.ts'
import { changeRoomSettings } from './change-room-settings.ts'
import { removeRoomAdmin } from './remove-room-admin.ts'
import { backgroundRoutes } from './set-background.ts'

/** Changes of a room by its staff, under `/api/rooms`. */
export function roomManagementRoutes(app: NodeApp, appContext: AppContext): void {
  backgroundRoutes(app, appContext)
  registerRoute(app, appContext, routes.roomVisitors, ({ actor, input }) => {
    const { reader } = appContext
    const room = findManagedRoom(reader, actor, input.id)
    if (room instanceof Refusal) return room
    return { success: true as const, ...listVisitors(reader, room.id, input.before) }
  })
  registerRoute(app, appContext, routes.addRoomAdmin, ({ actor, input, clientId }) =>
    appContext.execute(addRoomAdmin, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.removeRoomAdmin, ({ actor, input, clientId }) =>
    appContext.execute(removeRoomAdmin, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.setGreetingMessage, async ({ actor, input, clientId }) => {
    const change = { roomId: input.id, greetingMessage: input.greetingMessage }
    const settings = await appContext.execute(changeRoomSettings, actor, change, { clientId })
    if (settings instanceof Refusal) return settings
    return { success: true as const, greetingMessage: settings.greetingMessage }
  })
  registerRoute(app, appContext, routes.setSlowMode, async ({ actor, input, clientId }) => {
    const settings = await appContext.execute(changeRoomSettings, actor, input, { clientId })
    return settings instanceof Refusal ? settings : { success: true as const }
  })
}
