import { refuse } from '../../shared/protocol/refusals.ts'
import type { Handler } from '../live/handler.ts'
import { banUser } from './ban-user.ts'
import { clearRoomMessages } from './clear-room-messages.ts'

/** The same command as `POST /users/ban`. */
export const handleBanUser: Handler<'banUser'> = (appContext, { identity }, input) => {
  if (!identity) return refuse('NotSignedIn')
  const { targetname: username, targetUserId: userId, duration, banReason, clientId } = input
  const ban = { username, ...(userId !== undefined && { userId }), duration, banReason }
  return appContext.execute(banUser, identity.viewer, ban, { clientId })
}

export const handleClearRoomMessages: Handler<'clearRoomMessages'> = (appContext, { identity }, input) => {
  if (!identity) return refuse('NotSignedIn')
  const { roomId, clientId } = input
  return appContext.execute(clearRoomMessages, identity.viewer, { roomId }, { clientId })
}
