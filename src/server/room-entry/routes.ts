import { routes } from '../../shared/room-entry/preference-protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { setRoomPreferences } from './set-room-preferences.ts'

/** What the staff of a room sets of it, below `/api/rooms`. */
export function roomEntryRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.setMessagePreference, ({ actor, input, clientId }) =>
    appContext.execute(setRoomPreferences, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.setMediaPreference, ({ actor, input, clientId }) =>
    appContext.execute(setRoomPreferences, actor, input, { clientId }),
  )
}
