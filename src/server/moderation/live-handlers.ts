import { refuse } from '../../shared/protocol/refusals.ts'
import type { Handler } from '../live/handler.ts'

/** Bans from the line, as `POST /users/ban` does. */
export const banUser: Handler<'banUser'> = (world, { identity }, { targetname, targetUserId, clientId, ...terms }) => {
  if (!identity) return refuse('NotSignedIn')
  const { duration, banReason } = terms
  const input = {
    username: targetname,
    ...(targetUserId !== undefined && { userId: targetUserId }),
    duration,
    banReason,
  }
  return world.execute('banUser', identity.viewer, input, {
    awaitReplicaAck: world.settings.awaitReplicaAck,
    ...(clientId && { clientId }),
  })
}

export const clearRoomMessages: Handler<'clearRoomMessages'> = (world, { identity }, { roomId, clientId }) => {
  if (!identity) return refuse('NotSignedIn')
  const { awaitReplicaAck } = world.settings
  return world.execute(
    'clearRoomMessages',
    identity.viewer,
    { roomId },
    { awaitReplicaAck: awaitReplicaAck, ...(clientId && { clientId }) },
  )
}
