import { type ReactNode, useRef, useState } from 'react'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { ACCEPT_FOLLOW_LABEL, REJECT_FOLLOW_LABEL } from '../../../shared/relations/follow-rules.ts'
import { session } from '../../core/session/session.ts'
import { FollowButton } from './follow-button.tsx'
import { FollowCounts } from './follow-counts.tsx'
import { answerFollowRequest } from './follows.ts'
import './follows.css'

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
