import type { ConsolidatedProfile } from '../../shared/profiles/consolidated-protocol.ts'
import { type ProfileViewVerdict, profileViewVerdict } from '../../shared/profiles/view-rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'
import { blockStatus, followStatusOf } from '../relations/queries.ts'
import { privacyOf } from '../settings/queries.ts'

/** Who looks at a profile. */
export type ProfileViewer = Pick<Actor, 'userId' | 'role'>

/** Whether this viewer is shown the content of this user's profile now, and why not. */
export function profileViewVerdictOf(
  reader: Pick<Reader, 'get'>,
  { userId, role }: ProfileViewer,
  owner: UserRow,
): ProfileViewVerdict {
  const { hasBlockedProfile, isBlockedByProfile } = blockStatus(reader, userId, owner.id)
  return profileViewVerdict({
    isSelf: userId === owner.id,
    viewerRole: role,
    accountPrivacy: privacyOf(owner).accountPrivacy,
    followStatus: followStatusOf(reader, userId, owner.id),
    hasBlocked: hasBlockedProfile,
    isBlocked: isBlockedByProfile,
  })
}

/** Whether this viewer is shown the content of this user's profile now; false for an unknown user. */
export function canViewProfileOf(reader: Pick<Reader, 'get'>, viewer: ProfileViewer, ownerId: UserId): boolean {
  const owner = reader.get(userById, { id: ownerId })
  return owner !== undefined && profileViewVerdictOf(reader, viewer, owner) === 'allowed'
}

/** How a viewer and a user stand to each other, and whether the viewer is shown the content of the user's profile. */
export function readViewStatus(
  reader: Pick<Reader, 'get'>,
  viewer: ProfileViewer,
  owner: UserRow,
): ConsolidatedProfile['status'] {
  return {
    canViewProfile: profileViewVerdictOf(reader, viewer, owner) === 'allowed',
    followStatus: followStatusOf(reader, viewer.userId, owner.id),
    followBackStatus: followStatusOf(reader, owner.id, viewer.userId),
    ...blockStatus(reader, viewer.userId, owner.id),
  }
}
