import { memo, type ReactNode, useEffect, useRef } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { GHOST_MARK } from '../../../shared/moderation/ghost-mark.ts'
import { USERS_NOT_LOADED } from '../../../shared/presence/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { OnlineDot } from '../../core/presence/online-dot.tsx'
import type { PeopleList } from '../../core/presence/paged-people.ts'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { GenderBadge, PlatformBadge } from '../../core/ui/person/user-badges.tsx'
import { openProfile } from '../../model/profiles/open-profile.ts'
import { INITIAL_ROW_WINDOW, ROW_PX, type RowWindow, useRowWindow } from './row-window.ts'
import { useRovingTabindex } from './use-roving-tabindex.ts'

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
          <span className="row gap-tight">
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

/** A list of people with a function that loads missing rows. */
export interface PeopleView extends PeopleList {
  /** Loads the existing rows from `first` (inclusive) to `last` (exclusive). False when a page failed. */
  loadRows(first: number, last: number): Promise<boolean>
}

/** Draws the rows in view, in a list with the height of all rows. */
export function PeopleRows({ view, viewerId }: { view: PeopleView; viewerId: UserId }): ReactNode {
  const { users, total } = view
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(scroller, users)
  const { activeIndex, ...handlers } = useRovingTabindex(scroller, view)
  const count = Math.max(users.length, total)
  const last = Math.min(shown.last, count)
  const first = Math.min(shown.first, last)
  useEffect(() => {
    if (view.state !== 'failed') void view.loadRows(first, last)
  }, [view, first, last])

  const drawn = drawnIndexes({ first, last }, activeIndex, count).map((index) => {
    const person = users[index]
    if (!person) return <PlaceholderRow key={`blank ${index}`} />
    return (
      <PersonRow
        key={person.id}
        person={person}
        isViewer={person.id === viewerId}
        index={index}
        count={count}
        isActive={index === activeIndex}
        isDetached={index < first || index >= last}
      />
    )
  })

  return (
    <>
      <div ref={scroller} className="panel-scroll" tabIndex={-1} {...handlers}>
        {/* No padding before the first measurement: the content security policy forbids style attributes in HTML. */}
        <ul
          className="people"
          aria-label="Kullanıcı listesi"
          {...(shown !== INITIAL_ROW_WINDOW && { style: spacerPadding({ first, last }, count) })}
        >
          {drawn}
        </ul>
      </div>
      {view.state === 'failed' && <PeopleLoadError retry={() => void view.loadRows(first, last)} />}
    </>
  )
}

/** The rows of the window and the active row, in order. */
function drawnIndexes({ first, last }: RowWindow, active: number, count: number): number[] {
  const inWindow = Array.from({ length: last - first }, (_, offset) => first + offset)
  if (active < first) return [active, ...inWindow]
  return active >= last && active < count ? [...inWindow, active] : inWindow
}

function spacerPadding({ first, last }: RowWindow, count: number): { paddingBlock: string } {
  return { paddingBlock: `${first * ROW_PX}px ${(count - last) * ROW_PX}px` }
}

/** Shown in place of people that failed to load. */
export function PeopleLoadError({ retry }: { retry: () => void }): ReactNode {
  return (
    <div className="people-failure">
      <p role="alert">{USERS_NOT_LOADED}</p>
      <button type="button" className="link-button" onClick={retry}>
        Tekrar dene
      </button>
    </div>
  )
}

/** A row that is not loaded yet. */
function PlaceholderRow(): ReactNode {
  return (
    <li className="person" aria-hidden="true">
      <span className="person-avatar" />
      <span className="person-text" />
    </li>
  )
}
