import { type ReactNode, useEffect, useRef } from 'react'
import { USERS_NOT_LOADED } from '../../../shared/presence/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { PeopleList } from '../../core/presence/paged-people.ts'
import { PersonRow, PlaceholderRow } from './person-row.tsx'
import { INITIAL_ROW_WINDOW, ROW_PX, type RowWindow, useRowWindow } from './row-window.ts'
import { useRovingTabindex } from './use-roving-tabindex.ts'

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
