import { USER_NOT_FOUND_TEXT } from '../../../../shared/accounts/protocol.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { toProfileDetails, toUserSummary, userById } from '../../accounts/queries.ts'
import { type ProfileContents, setProfileContents } from '../../accounts/transactions.ts'
import { isBlockedBetween } from '../../relations/access.ts'
import type { ReportSource } from '../queries.ts'

const EMPTY: ProfileContents = { bio: null, city: null, avatarUrl: null, largeAvatarUrl: null }
const NO_DETAILS = { age: null, city: null, bio: null, largeAvatarUrl: null }

/** The public profile of a user as the actor may see it: with a block between the two, only what lists show. */
export const profileSource: ReportSource<'profile'> = {
  capture(tx, actor, { userId }) {
    const user = tx.get(userById, { id: userId })
    if (!user || user.nameReleasedAt !== null) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const { id, username, role, isGuest, gender, avatarUrl } = toUserSummary(user, tx.now)
    const isHidden = actor.role !== 'rootadmin' && isBlockedBetween(tx, actor.userId, userId)
    const details = isHidden ? NO_DETAILS : toProfileDetails(user)
    const profile = { id, username, role, isGuest, gender, avatarUrl, ...details }
    return {
      reportedId: userId,
      key: String(userId),
      content: { kind: 'profile', profile },
      paths: [profile.avatarUrl, profile.largeAvatarUrl],
    }
  },
  /** Texts and picture; a name stays, and a guest has nothing else. */
  remove(tx, _actor, { reportedId }) {
    const user = tx.get(userById, { id: reportedId })
    if (!user || isEmpty(user)) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    setProfileContents(tx, user.id, EMPTY)
    return null
  },
}

function isEmpty({ bio, city, avatarUrl, largeAvatarUrl }: ProfileContents): boolean {
  return [bio, city, avatarUrl, largeAvatarUrl].every((part) => part === null)
}
