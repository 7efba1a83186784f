import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { addNotification, removeRequestNotification } from '../../model/notifications/transactions.ts'

export type FollowPair = { followerId: UserId; followingId: UserId }

/** Notifies a user of a new follower, or of a request to follow. */
export function notifyOfFollow(tx: Transaction, { followerId, followingId }: FollowPair, isAccepted: boolean): void {
  if (isAccepted) addNotification(tx, followingId, { type: 'follower', senderId: followerId })
  else addNotification(tx, followingId, { type: 'follow', senderId: followerId, requestId: followerId })
}

/** A request is answered or withdrawn: its notification is removed on all devices of the user who was asked. */
export function removeFollowRequest(tx: Transaction, { followerId, followingId }: FollowPair, actorId: UserId): void {
  removeRequestNotification(tx, { type: 'follow', requestId: followerId }, followingId, actorId)
}
