import { type ReactNode, useRef, useState } from 'react'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import {
  ACCEPT_FOLLOW_LABEL,
  FOLLOW_LABEL,
  FOLLOW_PENDING_LABEL,
  REJECT_FOLLOW_LABEL,
  REQUEST_FOLLOW_LABEL,
  UNFOLLOW_LABEL,
} from '../../../shared/relations/follow-rules.ts'
import { session } from '../../core/session/session.ts'
import { FollowCounts } from './follow-counts.tsx'
import { answerFollowRequest, requestFollow, requestUnfollow } from './follows.ts'
import './follows.css'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { icon } from '../../core/ui/composer-icons.tsx'
import { ReloadIcon } from '../../core/ui/lazy-icons.tsx'
import type { FollowRelation } from './follow-relation.ts'

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

interface FollowSectionProps {
  answer: ConsolidatedProfile
  reload: () => Promise<void>
}

/**
 * The follow part of a profile: counts and a request of the user. Guests have none, and a block in either direction hides
 * it; root admins still see the counts.
 */
export function FollowSection({ answer, reload }: FollowSectionProps): ReactNode {
  const { profile: user, status, stats } = answer
  const section = useRef<HTMLElement>(null)
  const isBlocked = status.hasBlockedProfile || status.isBlockedByProfile
  if (user.isGuest || (isBlocked && !session.isRootAdmin())) return null
  const onAnswered = async (): Promise<void> => {
    await reload()
    // The clicked button is gone.
    section.current?.focus({ preventScroll: true })
  }
  return (
    <section ref={section} className="follow-section" aria-label="Takip" tabIndex={-1}>
      <FollowCounts user={user} counts={stats} canOpen={status.canViewProfile} />
      {!isBlocked && status.followBackStatus === 'pending' && <IncomingRequest user={user} onAnswered={onAnswered} />}
    </section>
  )
}

/** The follow button of a profile, where the viewer may follow: members among each other, and not across a block. */
export function ProfileFollowButton({ answer: { profile: user, status }, reload }: FollowSectionProps): ReactNode {
  const isBlocked = status.hasBlockedProfile || status.isBlockedByProfile
  if (user.isGuest || isBlocked || session.isGuest() || session.isSelf(user.id)) return null
  const relation = { followStatus: status.followStatus, accountPrivacy: user.accountPrivacy ?? 'public' }
  return <FollowButton userId={user.id} relation={relation} reload={reload} />
}

interface IncomingRequestProps {
  user: ConsolidatedProfile['profile']
  onAnswered: () => void
}

/** Shown when the user asks to follow the viewer. */
function IncomingRequest({ user, onAnswered }: IncomingRequestProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const respond = async (isAccepted: boolean): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (await answerFollowRequest(user.id, isAccepted)) onAnswered()
    setBusy(false)
  }
  return (
    <div className="follow-request">
      <p>
        <bdi>{user.username}</bdi> seni takip etmek istiyor.
      </p>
      <button type="button" className="button button--accent" aria-disabled={isBusy} onClick={() => void respond(true)}>
        {ACCEPT_FOLLOW_LABEL}
      </button>
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => void respond(false)}>
        {REJECT_FOLLOW_LABEL}
      </button>
    </div>
  )
}

/**
 * Follows, asks or ends a follow. A pending request is a disabled refresh icon (specification 1, point 4, "Follow
 * status"). It stays one element, so that it keeps the focus.
 */
function FollowButton({ userId, relation, reload }: FollowButtonProps): ReactNode {
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
