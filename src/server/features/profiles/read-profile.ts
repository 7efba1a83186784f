import type { BlockStatus, PublicProfile } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { FOLLOWS_IN_PROFILE } from '../../../shared/relations/follow-rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transact.ts'
import { findUserByName, toPerson, toProfileDetails, type UserRow } from '../../model/accounts/queries.ts'
import { getActiveBan, getShownLastSeen } from '../../model/moderation/queries.ts'
import { readViewStatus } from '../../model/profiles/access.ts'
import { blockStatus, followCounts, listFollows, NO_FOLLOW_COUNTS } from '../../model/relations/queries.ts'
import { mutedPlaces } from '../../model/sanctions/queries.ts'
import { privacyOf, shownPrivacyOf } from '../../model/settings/queries.ts'
import { readProfileParts } from './profile-parts.ts'

/** The profile of the user with this name; refuses with NotFound. */
export function readProfileByName(appContext: AppContext, actor: Actor, name: string): PublicProfile | Refusal {
  return appContext.reader.snapshot((reader) => {
    const user = findUserByName(reader, name)
    if (!user) return refuse('NotFound')
    const status = blockStatus(reader, actor.userId, user.id)
    return { ...readProfile(appContext, reader, { actor, user, status }), status }
  })
}

/** The profile with all parts that the actor may see, from one snapshot; refuses with NotFound. */
export function readConsolidatedProfile(
  appContext: AppContext,
  actor: Actor,
  name: string,
  { guestsOnly }: { guestsOnly: boolean },
): ConsolidatedProfile | Refusal {
  return appContext.reader.snapshot((reader) => {
    const user = findUserByName(reader, name)
    if (!user || (guestsOnly && user.isGuest === 0)) return refuse('NotFound')
    const status = readViewStatus(reader, actor, user)
    const isHidden = isHiddenByBlock(actor, status)
    const list = (side: 'followers' | 'following') =>
      status.canViewProfile ? listFollows(reader, actor, { side, userId: user.id, size: FOLLOWS_IN_PROFILE }).users : []
    return {
      success: true,
      profile: readProfile(appContext, reader, { actor, user, status }),
      status,
      stats: isHidden ? NO_FOLLOW_COUNTS : followCounts(reader, actor, user.id),
      followers: list('followers'),
      following: list('following'),
      ...readProfileParts(reader, { user, actor, status }),
    }
  })
}

/** What the actor may see of a user: with a block in either direction, only the summary. Root admins see everything. */
function readProfile(
  { presence, clock }: AppContext,
  reader: Reader,
  { actor, user, status }: { actor: Actor; user: UserRow; status: BlockStatus },
): ConsolidatedProfile['profile'] {
  const now = clock()
  const onlineMs = presence.onlineMs(user.id, actor)
  const person = toPerson(user, onlineMs !== null, now)
  if (isHiddenByBlock(actor, status)) return person
  const connectedAt = onlineMs === null ? null : Math.round(now - onlineMs)
  return {
    ...person,
    ...toProfileDetails(user),
    ...(user.id === actor.userId ? privacyOf(user) : shownPrivacyOf(user)),
    connectedAt,
    lastActive:
      actor.userId === user.id || actor.role === 'rootadmin' ? user.lastSeenAt : getShownLastSeen(reader, user),
    ...(actor.role === 'rootadmin' && { isBanned: getActiveBan(reader, user.id, now) !== undefined }),
    ...(actor.role === 'rootadmin' && user.isGhost === 1 && { isGhost: true as const }),
    ...mutedPlaces(reader, actor, user.id, now),
  }
}

function isHiddenByBlock(actor: Actor, { hasBlockedProfile, isBlockedByProfile }: BlockStatus): boolean {
  return actor.role !== 'rootadmin' && (hasBlockedProfile || isBlockedByProfile)
}
