import { answerFollowRequest } from './answer-follow-request.ts'
import { blockUser } from './block-user.ts'
import { followUser } from './follow-user.ts'
import { removeFollower } from './remove-follower.ts'
import { unblockUser } from './unblock-user.ts'
import { unfollowUser } from './unfollow-user.ts'

/** The write commands of this feature. */
export const writes = [blockUser, unblockUser, followUser, unfollowUser, answerFollowRequest, removeFollower]
