import { type ReactNode, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import {
  FOLLOW_LABEL,
  FOLLOW_PENDING_LABEL,
  REQUEST_FOLLOW_LABEL,
  UNFOLLOW_LABEL,
} from '../../../shared/relations/follow-rules.ts'
import { icon } from '../../core/ui/composer-icons.tsx'
import { ReloadIcon } from '../../core/ui/lazy-icons.tsx'
import type { FollowRelation } from './follow-relation.ts'
import { requestFollow, requestUnfollow } from './follows.ts'

const FollowIcon = icon(
  <>
    <circle cx="10" cy="8" r="3.6" />
    <path d="M3.5 19.5c.6-3.7 3.1-5.5 6.5-5.5s5.9 1.8 6.5 5.5M18.5 8v6M15.5 11h6" />
  </>,
)
const UnfollowIcon = icon(
  <>
    <circle cx="10" cy="8" r="3.6" />
    <path d="M3.5 19.5c.6-3.7 3.1-5.5 6.5-5.5s5.9 1.8 6.5 5.5M15.5 11h6" />
  </>,
)

interface FollowButtonProps {
  userId: UserId
  relation: Pick<FollowRelation, 'followStatus' | 'accountPrivacy'>
  reload: () => Promise<void>
}

/**
 * Follows, asks or ends a follow. A pending request is a disabled refresh icon (specification 1, point 4, "Follow
 * status"). It stays one element, so that it keeps the focus.
 */
export function FollowButton({ userId, relation, reload }: FollowButtonProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const isPending = relation.followStatus === 'pending'
  const isFollowing = relation.followStatus === 'following'
  const press = async (): Promise<void> => {
    if (isBusy || isPending) return
    setBusy(true)
    await (isFollowing ? requestUnfollow(userId) : requestFollow(userId, relation.accountPrivacy))
    // After a refusal too: it may tell that the account's privacy has changed.
    await reload()
    setBusy(false)
  }
  return (
    <button
      type="button"
      className={isFollowing || isPending ? 'button follow-button' : 'button button--accent follow-button'}
      aria-disabled={isBusy || isPending}
      {...(isPending && { 'aria-label': FOLLOW_PENDING_LABEL, title: FOLLOW_PENDING_LABEL })}
      onClick={() => void press()}
    >
      {isPending ? <ReloadIcon size={18} /> : <ButtonLabel relation={relation} />}
    </button>
  )
}

function ButtonLabel({ relation }: Pick<FollowButtonProps, 'relation'>): ReactNode {
  if (relation.followStatus === 'following') {
    return (
      <>
        <UnfollowIcon size={18} />
        {UNFOLLOW_LABEL}
      </>
    )
  }
  return (
    <>
      <FollowIcon size={18} />
      {relation.accountPrivacy === 'private' ? REQUEST_FOLLOW_LABEL : FOLLOW_LABEL}
    </>
  )
}
