import { MAX_GIFT_ACTIONS } from '../../../shared/gifts/limits.ts'
import { getReceivedGifts, listGiftActions } from '../../model/gifts/queries.ts'
import type { ProfilePart } from '../../model/profiles/queries.ts'

/** The gifts that a member has received, and for root admins those of the action log. */
export const profilePart: ProfilePart = (reader, { user, actor, status }) => {
  if (user.isGuest === 1) return {}
  return {
    ...(status.canViewProfile && { gifts: getReceivedGifts(reader, user.id) }),
    ...(actor.role === 'rootadmin' && { actions: listGiftActions(reader, user, MAX_GIFT_ACTIONS) }),
  }
}
