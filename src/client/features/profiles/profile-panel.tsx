import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { live } from '../../core/live/state.ts'
import { lastSeenText, onlineText } from '../../core/presence/last-seen.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProfileContent } from './profile-content.tsx'
import { ProfileFrame } from './profile-frame.tsx'
import { profilePath } from './profile-link.ts'
import { useProfile, useRoomMember } from './use-profile.ts'
import './profile-panel.css'

interface ProfilePanelProps extends OverlayProps {
  username: string
  /** The user as a list showed them, until the profile has loaded. */
  initialUser: Person | null
}

/**
 * A user's profile: beside the thread on a wide screen, else above the page. It has a URL of its own, and Back closes it.
 */
export function ProfilePanel({ username, initialUser, onClose }: ProfilePanelProps): ReactNode {
  const titleId = useId()
  // Not of another page, to which the user is moving.
  const [path] = useState(() => profilePath(username))
  const lookup = useProfile(username, () => !initialUser && onClose())
  const found = lookup.answer === 'notFound' ? null : lookup.answer
  const member = useRoomMember(found?.profile.username ?? username, lookup.reload)
  const answer = found && member ? { ...found, profile: { ...found.profile, ...member } } : found
  // Another user of this name may have been in the list.
  const person = answer?.profile ?? (lookup.answer === 'notFound' ? null : (member ?? initialUser))
  // When a panel opens or closes.
  useEffect(() => {
    document.addEventListener('panelChange', onClose)
    return () => document.removeEventListener('panelChange', onClose)
  }, [onClose])
  return (
    <ProfileFrame titleId={titleId} path={path} onClose={onClose}>
      <header className="profile-top">
        <button type="button" className="icon-button profile-back" aria-label="Geri" onClick={onClose}>
          <ArrowIcon />
        </button>
        <h2 id={titleId} className="visually-hidden">
          Profil
        </h2>
        <p className="profile-seen" role="status">
          {answer && presenceText(answer.profile)}
        </p>
        {person && <PersonMenu person={answer ? { ...answer.profile, status: answer.status } : person} />}
      </header>
      {lookup.answer === 'notFound' ? (
        <p className="empty profile-not-found">{profileTexts.notFound}</p>
      ) : (
        <ProfileContent person={person} answer={answer} isFailed={lookup.isFailed} reload={lookup.reload} />
      )}
    </ProfileFrame>
  )
}

/** For how long the user is online or away; null across a block, which hides it. */
function presenceText({ isOnline, connectedAt, lastActive }: ConsolidatedProfile['profile']): string | null {
  if (lastActive === undefined) return null
  const now = live.serverNow()
  // The presence may have changed since the profile was loaded: then its start is not known.
  if (isOnline) return onlineText(connectedAt ?? null, now)
  return lastSeenText(connectedAt ? now : lastActive, now)
}
