import * as v from 'valibot'
import type { AccountPrivacy } from '../settings/rules.ts'

/** How one user follows another (specification 1, point 4, "Follow status"). */
export const FollowStatus = v.picklist(['not_following', 'pending', 'following'])
export type FollowStatus = v.InferOutput<typeof FollowStatus>

/** The most users whom one user follows or has asked to follow. */
export const MAX_FOLLOWING = 5_000
/** The most users in one answer of a follow list. */
export const FOLLOWS_PER_PAGE = 50
/** The most users of each list that a profile has with it. */
export const FOLLOWS_IN_PROFILE = 10

/** Labels of the follow buttons; a pending request shows an icon only. */
export const FOLLOW_LABEL = 'Takip Et'
export const REQUEST_FOLLOW_LABEL = 'İstek Gönder'
export const UNFOLLOW_LABEL = 'Takipten Çık'
export const FOLLOW_PENDING_LABEL = 'Takip isteği yanıt bekliyor'
export const ACCEPT_FOLLOW_LABEL = 'Kabul et'
export const REJECT_FOLLOW_LABEL = 'Reddet'

export const REMOVE_FOLLOWER_LABEL = 'Takipçiyi Çıkar'

/** Success toasts (specification 1, point 8). */
export const FOLLOWED_TEXT = 'Kullanıcı başarıyla takip edildi.'
export const FOLLOW_REQUESTED_TEXT = 'Takip isteğiniz gönderildi.'
export const UNFOLLOWED_TEXT = 'Takibi bıraktınız.'
/** Answers to the one who was asked. */
export const FOLLOW_ACCEPTED_TEXT = 'Takip isteği kabul edildi.'
export const FOLLOW_REJECTED_TEXT = 'Takip isteği reddedildi.'
export const FOLLOWER_REMOVED_TEXT = 'Takipçi çıkarıldı.'
/** Toasts of failures without a message of the server (specification 1, point 8). */
export const FOLLOW_FAILED = 'Takip edilirken bir hata oluştu.'
export const FOLLOW_REQUEST_FAILED = 'Takip isteği gönderilirken bir hata oluştu.'
export const UNFOLLOW_FAILED = 'Takipten ayrılırken bir hata oluştu.'
export const REMOVE_FOLLOWER_FAILED = 'Takipçi çıkarılırken bir hata oluştu.'

/** Refusals of a follow; the first two texts are those of specification 1, point 5. */
export const followRefusals = {
  isPrivate: 'Bu kullanıcıya istek gönderilmelidir.',
  isPublic: 'Bu kullanıcı public olduğu için direkt takip edilebilir.',
  isSelf: 'Kendini takip edemezsin.',
  isGuest: 'Misafirler takip edilemez.',
  isBlocked: 'Bu kullanıcıyı takip edemezsin.',
} as const
export type FollowRefusal = keyof typeof followRefusals

interface FollowAttempt {
  /** A request to a private account instead of a direct follow. */
  isRequest: boolean
  isSelf: boolean
  target: { isGuest: boolean; accountPrivacy: AccountPrivacy }
  /** Whether either of the two has blocked the other. */
  isBlocked: boolean
}

/** The status that a follow of a user who is not followed yet leads to, or why it is refused. */
export function followVerdict({
  isRequest,
  isSelf,
  target,
  isBlocked,
}: FollowAttempt): { status: Exclude<FollowStatus, 'not_following'> } | { refused: FollowRefusal } {
  if (isSelf) return { refused: 'isSelf' }
  if (target.isGuest) return { refused: 'isGuest' }
  if (isBlocked) return { refused: 'isBlocked' }
  if (target.accountPrivacy === 'private') return isRequest ? { status: 'pending' } : { refused: 'isPrivate' }
  return isRequest ? { refused: 'isPublic' } : { status: 'following' }
}
