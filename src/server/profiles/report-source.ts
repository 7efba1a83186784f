import { USER_NOT_FOUND_TEXT } from '../../shared/accounts/protocol.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { toProfileDetails, toUserSummary, userById } from '../accounts/queries.ts'
import { isBlockedBetween } from '../relations/access.ts'
import type { ReportSource } from '../reports/queries.ts'

const NO_DETAILS = { age: null, city: null, bio: null, largeAvatarUrl: null }

/** The public profile of a user as the actor may see it: with a block between the two, only what lists show. */
export const reportSource: ReportSource<'profile'> = {
  kind: 'profile',
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
}
