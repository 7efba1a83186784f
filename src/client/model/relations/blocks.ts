import type { UserId } from '../../../shared/protocol/ids.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import type { BlockedUser } from '../../../shared/relations/protocol.ts'
import {
  BLOCK_FAILED,
  BLOCKED_USERS_NOT_LOADED,
  blockedText,
  UNBLOCK_DONE,
  UNBLOCK_FAILED,
} from '../../../shared/relations/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import { LIST_NOT_LOADED } from '../../core/ui/lists/paged-list.tsx'
import { listenForBlocks } from './block-listener.ts'

/** The user whom a block or unblock is about. */
export interface BlockTarget {
  id: UserId
  username: string
}

/** The users whom the viewer has blocked, the latest first. A toast says why a page did not load. */
export const blockedUserList = new LiveList<BlockedUser, string>({
  failureText: () => LIST_NOT_LOADED,
  fetchPage: async (before) => {
    const answer = await callApi<'blockedUsers'>(`/users/blocked-users${pageQuery(before)}`, { as: 'user' })
    if (!isFailure(answer)) return { items: answer.blockedUsers, next: answer.next }
    void toast(BLOCKED_USERS_NOT_LOADED, 'error')
    return answer
  },
})

// The events also cover blocks that were made in another tab.
listenForBlocks(live, {
  onBlocked: () => void blockedUserList.refresh(),
  onUnblocked: (userId) => blockedUserList.remove(({ id }) => id === userId),
})

/** Blocks a user and shows the result in a toast. Returns whether it succeeded. */
export async function requestBlock({ id, username }: BlockTarget): Promise<boolean> {
  const body = { blockedUsername: username, blockedUserId: id }
  const answer = await callApi<'blockUser'>('/users/block', { as: 'user', body })
  return toastOutcome(answer, { done: blockedText(username), failed: BLOCK_FAILED })
}

/** Opens the confirmation of a block. */
export function openBlockDialog({ id, username }: BlockTarget): void {
  void openOverlay('blockDialog', { target: { id, username } })
}

/** Lifts a block and shows the result in a toast with these texts. Returns whether it succeeded. */
export async function requestUnblock(
  { id, username }: BlockTarget,
  texts = { done: UNBLOCK_DONE, failed: UNBLOCK_FAILED },
): Promise<boolean> {
  const body = { blockedUsername: username, blockedUserId: id }
  return toastOutcome(await callApi<'unblockUser'>('/users/unblock', { as: 'user', body }), texts)
}

function toastOutcome(answer: Result<object>, { done, failed }: { done: string; failed: string }): boolean {
  if (toastIfFailed(answer, failed)) return false
  void toast(done, 'success')
  return true
}
