import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { showPrivacy } from '../../model/settings/transactions.ts'
import { acceptAllRequests } from './answer-follow-request.ts'
import { endGhostBlocksOf } from './end-ghost-blocks.ts'
import { endHiddenFollowsBy, endHiddenFollowsOf } from './end-ghost-follows.ts'
import { deleteAllBlocksOf } from './unblock-user.ts'

export const hooks: HookHandlers = {
  onUserRemoved: (tx, { userId }) => deleteAllBlocksOf(tx, userId),
  onGhostBanEnded: (tx, { userId }) => {
    endGhostBlocksOf(tx, userId)
    endHiddenFollowsBy(tx, userId)
    // Last: an account that becomes public accepts the requests that are left.
    showPrivacy(tx, userId)
  },
  onAccountMadePrivate: (tx, { userId }) => endHiddenFollowsOf(tx, userId),
  onAccountMadePublic: (tx, { userId }) => acceptAllRequests(tx, userId),
}
