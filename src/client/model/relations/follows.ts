import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import type { FollowChange, FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import {
  FOLLOW_FAILED,
  FOLLOW_REQUEST_FAILED,
  REMOVE_FOLLOWER_FAILED,
  UNFOLLOW_FAILED,
} from '../../../shared/relations/follow-rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import type { FollowList, FollowSide } from './follow-list.ts'
import type { FollowRelation } from './follow-relation.ts'

/** No text of the specification: a failed follow list is only logged there. */
const FOLLOWS_NOT_LOADED = 'Liste alınamadı.'

type FollowAnswer = Result<RouteAnswer<'follow'>>

/** Calls `onChange` for every change of a follow of the viewer. Returns a function that stops listening. */
export function listenForFollows(onChange: (change: FollowChange) => void): () => void {
  const unsubscribers = (['userFollowed', 'userUnfollowed', 'followStatusUpdate'] as const).map((name) =>
    live.on(name, onChange),
  )
  return () => unsubscribers.forEach((unsubscribe) => void unsubscribe())
}

/** How the viewer and a user follow each other; null when it could not be loaded, which is only logged. */
export async function fetchFollowRelation(userId: UserId): Promise<FollowRelation | null> {
  const answer = await callApi<'isFollowing'>(`/follow/is-following/${session.userId()}/${userId}`, { as: 'user' })
  return isFailure(answer) ? logFailure('the follow status', answer) : answer
}

/** A follow list. The text of a failure is the server's message after a refusal. */
export function createFollowList(userId: UserId, side: FollowSide): FollowList {
  return new LiveList<FollowListEntry, string>({
    failureText: (failure) => failureText(failure, FOLLOWS_NOT_LOADED),
    fetchPage: async (before) => {
      const query = before === null ? '' : `?${side}Before=${before}`
      const answer = await callApi<'followLists'>(`/follow/followers-following/${userId}${query}`, { as: 'user' })
      if (isFailure(answer)) {
        logFailure('a follow list', answer)
        return answer
      }
      const { followers, following, nextFollowers, nextFollowing } = answer
      return side === 'followers'
        ? { items: followers, next: nextFollowers }
        : { items: following, next: nextFollowing }
    },
  })
}

/** Follows a user, or asks a private account. Shows the result in a toast and returns whether it succeeded. */
export async function requestFollow(followingId: UserId, accountPrivacy: 'public' | 'private'): Promise<boolean> {
  const isRequest = accountPrivacy === 'private'
  const body = { followerId: session.userId(), followingId, ...(isRequest && { request: true }) }
  const answer = await callApi<'follow'>('/follow/follow', { as: 'user', body })
  return toastOutcome(answer, isRequest ? FOLLOW_REQUEST_FAILED : FOLLOW_FAILED)
}

/** Ends the viewer's follow of a user. Shows the result in a toast and returns whether it succeeded. */
export async function requestUnfollow(followingId: UserId): Promise<boolean> {
  const body = { followerId: session.userId(), followingId }
  return toastOutcome(await callApi<'unfollow'>('/follow/unfollow', { as: 'user', body }), UNFOLLOW_FAILED)
}

/** Ends a user's follow of the viewer. Shows the result in a toast and returns whether it succeeded. */
export async function requestRemoveFollower(followerId: UserId): Promise<boolean> {
  const body = { followerId, followingId: session.userId() }
  const answer = await callApi<'removeFollower'>('/follow/remove-follower', { as: 'user', body })
  return toastOutcome(answer, REMOVE_FOLLOWER_FAILED)
}

/** Accepts or rejects a request to follow the viewer. A failure is only logged. Returns whether it succeeded. */
export async function answerFollowRequest(followerId: UserId, isAccepted: boolean): Promise<boolean> {
  const body = { followerId, followingId: session.userId() }
  const path = isAccepted ? '/follow/accept-follow' : '/follow/reject-follow'
  const answer = await callApi<'acceptFollow' | 'rejectFollow'>(path, { as: 'user', body })
  if (isFailure(answer)) {
    logFailure('the answer to a follow request', answer)
    return false
  }
  void toast(answer.message, 'success')
  return true
}

/** A refusal's message is a warning (specification 1, point 7, "Follow"). */
function toastOutcome(answer: FollowAnswer, failed: string): boolean {
  if (answer instanceof Refusal) void toast(answer.body.message, 'warning')
  else if (typeof answer === 'string') void toast(failed, 'error')
  else void toast(answer.message, 'success')
  return !isFailure(answer)
}

function logFailure(what: string, answer: Refusal | string): null {
  console.warn(`${what} failed:`, answer instanceof Refusal ? answer.body.code : answer)
  return null
}
