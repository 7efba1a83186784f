import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { PROFILE_HIDDEN_TEXT } from '../../../shared/profiles/view-rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/relations/follow-protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { userById } from '../../model/accounts/queries.ts'
import { canViewProfileOf } from '../../model/profiles/access.ts'
import { isBlockedBetween } from '../../model/relations/access.ts'
import { followCounts, followStatusOf, listFollows, NO_FOLLOW_COUNTS } from '../../model/relations/queries.ts'
import { privacyOf } from '../../model/settings/queries.ts'
import { answerFollowRequest } from './answer-follow-request.ts'
import { followUser } from './follow-user.ts'
import { removeFollower } from './remove-follower.ts'
import { unfollowUser } from './unfollow-user.ts'

/** `/api/follow`: follows, requests and their answers, and the lists of both sides. */
export function followRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  registerRoute(app, appContext, routes.follow, ({ input, actor, clientId }) =>
    execute(followUser, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.unfollow, ({ input, actor, clientId }) =>
    execute(unfollowUser, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.acceptFollow, ({ input, actor, clientId }) =>
    execute(answerFollowRequest, actor, { ...input, isAccepted: true }, { clientId }),
  )
  registerRoute(app, appContext, routes.rejectFollow, ({ input, actor, clientId }) =>
    execute(answerFollowRequest, actor, { ...input, isAccepted: false }, { clientId }),
  )
  registerRoute(app, appContext, routes.removeFollower, ({ input, actor, clientId }) =>
    execute(removeFollower, actor, input, { clientId }),
  )

  registerRoute(app, appContext, routes.isFollowing, ({ input: { followerId, followingId }, actor }) => {
    const isParticipant = actor.userId === followerId || actor.userId === followingId
    if (!isParticipant && actor.role !== 'rootadmin') return refuse('Forbidden')
    return reader.snapshot((snapshot) => {
      const target = snapshot.get(userById, { id: followingId })
      if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
      const followStatus = followStatusOf(snapshot, actor, followerId, followingId)
      const isHidden = actor.role !== 'rootadmin' && isBlockedBetween(snapshot, actor.userId, followingId)
      return {
        success: true as const,
        isFollowing: followStatus === 'following',
        status: ({ following: 'accepted', pending: 'pending', not_following: null } as const)[followStatus],
        followStatus,
        followBackStatus: followStatusOf(snapshot, actor, followingId, followerId),
        accountPrivacy: privacyOf(target).accountPrivacy,
        ...(isHidden ? NO_FOLLOW_COUNTS : followCounts(snapshot, actor, followingId)),
      }
    })
  })

  registerRoute(app, appContext, routes.followLists, ({ input, actor }) =>
    reader.snapshot((snapshot) => {
      if (!snapshot.get(userById, { id: input.id })) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
      if (!canViewProfileOf(snapshot, actor, input.id)) return refuse('Forbidden', { message: PROFILE_HIDDEN_TEXT })
      const followers = listFollows(snapshot, actor, {
        side: 'followers',
        userId: input.id,
        before: input.followersBefore,
      })
      const following = listFollows(snapshot, actor, {
        side: 'following',
        userId: input.id,
        before: input.followingBefore,
      })
      return {
        success: true as const,
        followers: followers.users,
        following: following.users,
        nextFollowers: followers.next,
        nextFollowing: following.next,
        ...followCounts(snapshot, actor, input.id),
      }
    }),
  )
}

/** Answers commands that the specification has beside the HTTP calls, which have done their work. */
export const acceptAndDoNothing = (): { success: true } => ({ success: true })
