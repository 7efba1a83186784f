import { memo, type ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { GHOST_MARK } from '../../../shared/moderation/ghost-mark.ts'
import { OnlineDot } from '../../core/presence/online-dot.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { GenderBadge, PlatformBadge } from '../../core/ui/person/user-badges.tsx'
import { openProfile } from '../../model/profiles/open-profile.ts'
import { ROW_PX } from './row-window.ts'

interface PersonRowProps {
  person: Person
  isViewer: boolean
  /** From 0. */
  index: number
  /** The number of all rows, drawn or not. */
  count: number
  /** Whether it is the row in the tab order. */
  isActive: boolean
  /** Whether it is drawn outside the window, at its own position. */
  isDetached: boolean
}

/** A person in a list. A click opens the profile, on the viewer's own row the own panel. */
export const PersonRow = memo(function PersonRow(props: PersonRowProps): ReactNode {
  const { person, isViewer, index, count, isActive, isDetached } = props
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      {...(isDetached && { className: 'person--detached', style: { top: index * ROW_PX } })}
    >
      <button
        type="button"
        className="person"
        tabIndex={isActive ? 0 : -1}
        data-row={index}
        data-id={person.id}
        {...(!isViewer && { 'aria-haspopup': 'dialog' as const })}
        onClick={() => openProfile(person.username, person)}
      >
        <span className="person-avatar">
          <Avatar user={person} size={48} />
          <OnlineDot isOnline={person.isOnline} />
        </span>
        <span className="person-text">
          <span className="person-name">
            <bdi className="person-username">{person.username}</bdi>
            <GenderBadge gender={person.gender} />
            {isViewer && <span className="person-viewer">sen</span>}
            {person.isGhost && <span className="person-viewer">{GHOST_MARK}</span>}
          </span>
          <TierLabel person={person} />
        </span>
        <PlatformBadge platform={person.lastLoginPlatform} />
      </button>
    </li>
  )
})

/** A row that is not loaded yet. */
export function PlaceholderRow(): ReactNode {
  return (
    <li className="person person--placeholder" aria-hidden="true">
      <span className="person-avatar" />
      <span className="person-text" />
    </li>
  )
}
