import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onGhostBanEnded } from '../../model/restrictions/transactions.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { onAccountMadePrivate, onAccountMadePublic } from '../../model/settings/transactions.ts'
import { acceptAllRequests, answerFollowRequest } from './answer-follow-request.ts'
import { blockUser } from './block-user.ts'
import { endHiddenFollowsBy, endHiddenFollowsOf } from './end-ghost-follows.ts'
import { followUser } from './follow-user.ts'
import { removeFollower } from './remove-follower.ts'
import { deleteAllBlocksOf, unblockUser } from './unblock-user.ts'
import { unfollowUser } from './unfollow-user.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [blockUser, unblockUser, followUser, unfollowUser, answerFollowRequest, removeFollower],
  hooks: [
    onUserRemoved.handledBy((tx, { userId }) => deleteAllBlocksOf(tx, userId)),
    onGhostBanEnded.handledBy((tx, { userId }) => endHiddenFollowsBy(tx, userId)),
    onAccountMadePrivate.handledBy((tx, { userId }) => endHiddenFollowsOf(tx, userId)),
    onAccountMadePublic.handledBy((tx, { userId }) => acceptAllRequests(tx, userId)),
  ],
}
