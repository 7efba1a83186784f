import { createHmac } from 'node:crypto'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { routes as banRoutes } from '../../../shared/room-access/ban-protocol.ts'
import { routes as passwordRoutes } from '../../../shared/room-access/password-protocol.ts'
import { routes as preferenceRoutes } from '../../../shared/room-access/preference-protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { addressGroup, clientAddress } from '../../kernel/http/client-address.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { passwords } from '../../model/accounts/passwords.ts'
import { listRestrictions, toRoomBan } from '../../model/restrictions/queries.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { checkRoomPassword } from '../../model/rooms/entry-services.ts'
import { banFromRoom } from './ban-from-room.ts'
import { liftRoomBan } from './lift-room-ban.ts'
import { setRoomPassword } from './set-room-password.ts'
import { setRoomPreferences } from './set-room-preferences.ts'

/** What the staff of a room decides about those who enter it, below `/api/rooms`. */
export function roomAccessRoutes(app: NodeApp, appContext: AppContext): void {
  registerPreferences(app, appContext)
  registerPasswords(app, appContext)
  registerBans(app, appContext)
}

function registerPreferences(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, preferenceRoutes.setMessagePreference, ({ actor, input, clientId }) =>
    appContext.execute(setRoomPreferences, actor, input, { clientId }),
  )
  registerRoute(app, appContext, preferenceRoutes.setMediaPreference, ({ actor, input, clientId }) =>
    appContext.execute(setRoomPreferences, actor, input, { clientId }),
  )
}

function registerPasswords(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, passwordRoutes.setRoomPassword, async ({ actor, input, clientId, context }) => {
    // Hashing is slow, so those who may not set the password are refused before.
    const room = findManagedRoom(appContext.reader, actor, input.id)
    if (room instanceof Refusal) return room
    const salt = clientId === undefined ? undefined : saltOfRetry(appContext, actor, clientId)
    const address = addressGroup(clientAddress(appContext.config, context.env.incoming))
    const work = { queue: 'rooms', address, account: String(actor.userId) } as const
    const passwordHash = await appContext.service(passwords).hash(input.password, work, salt)
    if (passwordHash instanceof Refusal) return passwordHash
    return appContext.execute(setRoomPassword, actor, { roomId: input.id, passwordHash }, { clientId })
  })
  registerRoute(app, appContext, passwordRoutes.removeRoomPassword, ({ actor, input, clientId }) =>
    appContext.execute(setRoomPassword, actor, { roomId: input.id, passwordHash: null }, { clientId }),
  )
  registerRoute(app, appContext, passwordRoutes.checkRoomPassword, ({ actor, input, context }) => {
    const address = clientAddress(appContext.config, context.env.incoming)
    return appContext.service(checkRoomPassword)(actor, { roomId: input.id, password: input.password }, address)
  })
}

/** A retry under the same key has the same salt, and so the same hash. */
function saltOfRetry({ keys }: AppContext, { userId }: Actor, clientId: string): Buffer {
  return createHmac('sha256', keys.fingerprint).update(`room password ${userId} ${clientId}`).digest().subarray(0, 16)
}

function registerBans(app: NodeApp, appContext: AppContext): void {
  const { execute, reader, clock } = appContext
  registerRoute(app, appContext, banRoutes.banFromRoom, ({ actor, input, clientId }) =>
    execute(banFromRoom, actor, input, { clientId }),
  )
  registerRoute(app, appContext, banRoutes.liftRoomBan, ({ actor, input, clientId }) =>
    execute(liftRoomBan, actor, input, { clientId }),
  )
  registerRoute(app, appContext, banRoutes.roomBannedUsers, ({ actor, input: { id, before } }) =>
    reader.snapshot((snapshot) => {
      const room = findManagedRoom(snapshot, actor, id)
      if (room instanceof Refusal) return room
      const { items, next } = listRestrictions(snapshot, { kinds: ['roomBan'], roomId: id }, clock(), before)
      return { success: true as const, bannedUsers: items.map(toRoomBan), next }
    }),
  )
}
