import type { RecipientInfo } from '../../../../shared/direct-messages/message.ts'
import { PRIVACY_DEFAULTS } from '../../../../shared/settings/rules.ts'

/** User 2, a member with the default privacy and no relation to the viewer. */
export const CAN_INFO: RecipientInfo = {
  ...PRIVACY_DEFAULTS,
  id: 2,
  username: 'can',
  avatarUrl: null,
  gender: null,
  role: 'member',
  premiumStatus: 'guest',
  isGuest: false,
  isOnline: false,
  isFollowing: false,
  isFollowedBy: false,
  hasBlockedProfile: false,
  isBlockedByProfile: false,
}
