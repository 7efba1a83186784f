import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/sanctions/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { findRemovedRoomMessage } from '../../model/moderation/queries.ts'
import { listRestrictions, toMute } from '../../model/restrictions/queries.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { liftMute } from './lift-mute.ts'
import { muteUser } from './mute-user.ts'
import { warnUser } from './warn-user.ts'

/** Warnings and mutes: those of the site below `/api/users`, those of a room below `/api/rooms`; and removed texts. */
export function sanctionRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.warnUser, ({ actor, input, clientId }) =>
    appContext.execute(warnUser, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.removedMessage, ({ input: { id } }) => {
    const found = findRemovedRoomMessage(appContext.reader, id)
    return found ? { success: true as const, ...found } : refuse('NotFound')
  })
  registerSiteMutes(app, appContext)
  registerRoomMutes(app, appContext)
}

function registerSiteMutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.muteUser, ({ actor, input, clientId }) =>
    appContext.execute(muteUser, actor, { ...input, roomId: null }, { clientId }),
  )
  registerRoute(app, appContext, routes.liftMute, ({ actor, input: { username }, clientId }) =>
    appContext.execute(liftMute, actor, { username, roomId: null }, { clientId }),
  )
  registerRoute(app, appContext, routes.mutedUsers, ({ input: { before } }) => {
    const { items, next } = listRestrictions(appContext.reader, { kinds: ['mute'] }, appContext.clock(), before)
    return { success: true as const, mutedUsers: items.map(toMute), next }
  })
}

function registerRoomMutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader, clock } = appContext
  registerRoute(app, appContext, routes.muteInRoom, ({ actor, input: { id: roomId, ...terms }, clientId }) =>
    execute(muteUser, actor, { ...terms, roomId }, { clientId }),
  )
  registerRoute(app, appContext, routes.liftRoomMute, ({ actor, input: { id: roomId, username }, clientId }) =>
    execute(liftMute, actor, { username, roomId }, { clientId }),
  )
  registerRoute(app, appContext, routes.roomMutedUsers, ({ actor, input: { id: roomId, before } }) =>
    reader.snapshot((snapshot) => {
      const room = findManagedRoom(snapshot, actor, roomId)
      if (room instanceof Refusal) return room
      const { items, next } = listRestrictions(snapshot, { kinds: ['mute'], roomId }, clock(), before)
      return { success: true as const, mutedUsers: items.map(toMute), next }
    }),
  )
}
