import type { UserId } from '../../shared/protocol/ids.ts'
import type { BlockedUser } from '../../shared/relations/protocol.ts'
import {
  BLOCK_FAILED,
  BLOCKED_USERS_NOT_LOADED,
  blockedText,
  UNBLOCK_DONE,
  UNBLOCK_FAILED,
} from '../../shared/relations/rules.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { live } from '../live/state.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { toast } from '../shell/toasts/toast.ts'
import { toastIfFailed } from '../shell/toasts/toast-failure.ts'
import { signal } from '../signal.ts'
import { mergePage, type PagedItems } from '../ui/lists/paged-items.ts'
import { listenForBlocks } from './block-listener.ts'

/** Somebody who is blocked, or will be. */
export interface BlockTarget {
  id: UserId
  username: string
}

/** Whom one has blocked, the latest first; null until it was loaded once. */
export const blockedUserList = signal<PagedItems<BlockedUser, string> | null>(null)

// Whether it was done here or in another tab, the event tells of it.
listenForBlocks(live, {
  onBlocked: () => blockedUserList.peek() && void loadBlockedUsers(),
  onUnblocked: (userId) => {
    const known = blockedUserList.peek()
    if (known) blockedUserList.value = { ...known, items: known.items.filter(({ id }) => id !== userId) }
  },
})

/** Blocks somebody, and says how that went. Answers whether they are blocked. */
export async function requestBlock({ id, username }: BlockTarget): Promise<boolean> {
  const body = { blockedUsername: username, blockedUserId: id }
  const answer = await callApi<'blockUser'>('/users/block', { as: 'user', body })
  return toastOutcome(answer, { done: blockedText(username), failed: BLOCK_FAILED })
}

/** Asks whether to block somebody. */
export function openBlockDialog({ id, username }: BlockTarget): void {
  void openOverlay('blockDialog', { target: { id, username } })
}

/** Lifts a block, and says how that went in the words of where it was pressed. Answers whether it is lifted. */
export async function requestUnblock(
  { id, username }: BlockTarget,
  words = { done: UNBLOCK_DONE, failed: UNBLOCK_FAILED },
): Promise<boolean> {
  const body = { blockedUsername: username, blockedUserId: id }
  return toastOutcome(await callApi<'unblockUser'>('/users/unblock', { as: 'user', body }), words)
}

/** Loads the first page of whom one has blocked, or the next one. Says what went wrong, and answers it, in Turkish, or null. */
export async function loadBlockedUsers(before: string | null = null): Promise<string | null> {
  const path = before === null ? '/users/blocked-users' : `/users/blocked-users?before=${before}`
  const answer = await callApi<'blockedUsers'>(path, { as: 'user' })
  if (isFailure(answer)) {
    void toast(BLOCKED_USERS_NOT_LOADED, 'error')
    return BLOCKED_USERS_NOT_LOADED
  }
  blockedUserList.value = mergePage(blockedUserList.peek(), before, { items: answer.blockedUsers, next: answer.next })
  return null
}

function toastOutcome(answer: object | 'noAnswer', { done, failed }: { done: string; failed: string }): boolean {
  if (toastIfFailed(answer, failed)) return false
  void toast(done, 'success')
  return true
}
