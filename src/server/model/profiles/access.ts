import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { canViewProfile } from '../../../shared/profiles/view-rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { blockStatus, followStatusOf } from '../relations/queries.ts'
import { privacyOf } from '../settings/queries.ts'

/** Who looks at a profile. */
export type ProfileViewer = Pick<Actor, 'userId' | 'role'>

/** How a viewer and a user follow and block each other, and whether the viewer is shown the content of the profile. */
export function readViewStatus(
  reader: Pick<Reader, 'get'>,
  viewer: ProfileViewer,
  owner: UserRow,
): ConsolidatedProfile['status'] {
  const { userId, role } = viewer
  const blocks = blockStatus(reader, userId, owner.id)
  const followStatus = followStatusOf(reader, viewer, userId, owner.id)
  return {
    canViewProfile: canViewProfile({
      isSelf: userId === owner.id,
      viewerRole: role,
      accountPrivacy: privacyOf(owner).accountPrivacy,
      followStatus,
      hasBlocked: blocks.hasBlockedProfile,
      isBlocked: blocks.isBlockedByProfile,
    }),
    followStatus,
    followBackStatus: followStatusOf(reader, viewer, owner.id, userId),
    ...blocks,
  }
}

/** Whether this viewer is shown the content of this user's profile now; false for an unknown user. */
export function canViewProfileOf(reader: Pick<Reader, 'get'>, viewer: ProfileViewer, ownerId: UserId): boolean {
  const owner = reader.get(userById, { id: ownerId })
  return owner !== undefined && readViewStatus(reader, viewer, owner).canViewProfile
}
