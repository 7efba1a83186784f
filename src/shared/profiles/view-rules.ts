import type { Role } from '../accounts/protocol.ts'
import type { FollowStatus } from '../relations/follow-rules.ts'
import type { AccountPrivacy } from '../settings/rules.ts'

/** What decides whether one user may see the content of another's profile: posts, follow lists, files. */
export interface ProfileViewFacts {
  isSelf: boolean
  viewerRole: Role
  accountPrivacy: AccountPrivacy
  /** How the viewer follows the profile's user. */
  followStatus: FollowStatus
  /** The viewer has blocked the profile's user. */
  hasBlocked: boolean
  /** The profile's user has blocked the viewer. */
  isBlocked: boolean
}

export type ProfileViewVerdict = 'allowed' | 'hasBlocked' | 'isBlocked' | 'private'

/**
 * Whether the content of a profile is shown (specification 1, points 3 and 4, `canViewProfile`). The user and root admins
 * see all of it; a block in either direction hides it, and a private account is for its accepted followers.
 */
export function profileViewVerdict(facts: ProfileViewFacts): ProfileViewVerdict {
  if (facts.isSelf || facts.viewerRole === 'rootadmin') return 'allowed'
  if (facts.hasBlocked) return 'hasBlocked'
  if (facts.isBlocked) return 'isBlocked'
  return facts.accountPrivacy === 'public' || facts.followStatus === 'following' ? 'allowed' : 'private'
}

/** `profileViewVerdict` as the specification's flag. */
export function canViewProfile(facts: ProfileViewFacts): boolean {
  return profileViewVerdict(facts) === 'allowed'
}

/** Why content is not shown. Across a block too: who blocked whom is not said here. */
export const PROFILE_HIDDEN_TEXT = 'Bu hesap gizli.'
