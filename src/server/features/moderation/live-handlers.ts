import { ONLY_GUESTS_GHOST_BANNED } from '../../../shared/moderation/rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { banUser } from './ban-user.ts'
import { clearRoomMessages } from './clear-room-messages.ts'
import { ghostBanGuest } from './ghost-ban-guest.ts'

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

export const handleGhostBanGuest: Handler<'ghostBanGuest'> = (appContext, { identity }, input) => {
  if (!identity) return refuse('NotSignedIn')
  const { username, targetUserId: userId, banDuration: duration, isGuest, clientId } = input
  if (!isGuest) return refuse('Forbidden', { message: ONLY_GUESTS_GHOST_BANNED })
  const ban = { username, ...(userId !== undefined && { userId }), duration }
  return appContext.execute(ghostBanGuest, identity.viewer, ban, { clientId })
}
