import { type ReactNode, useEffect, useRef } from 'react'
import { USERS_NOT_LOADED } from '../../shared/presence/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import type { PeopleList } from './paged-people.ts'
import { PersonRow, PlaceholderRow } from './person-row.tsx'
import { INITIAL_ROW_WINDOW, ROW_PX, type RowWindow, useRowWindow } from './row-window.ts'
import { useRovingTabindex } from './use-roving-tabindex.ts'

/** A list of people of which some may still have to be loaded. */
export interface PeopleView extends PeopleList {
  /** Loads the rows from `first` to before `last`, as far as there are so many. False when some did not come. */
  loadRows(first: number, last: number): Promise<boolean>
}

/** The rows that are in view, in a list as tall as all of them. */
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
        {/* Unmeasured there is no padding: the policy forbids style attributes in what the server sends. */}
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

/** The rows of the window and the active one, which keeps its place in the order when it is outside. */
function drawnIndexes({ first, last }: RowWindow, active: number, count: number): number[] {
  const inWindow = Array.from({ length: last - first }, (_, offset) => first + offset)
  if (active < first) return [active, ...inWindow]
  return active >= last && active < count ? [...inWindow, active] : inWindow
}

function spacerPadding({ first, last }: RowWindow, count: number): { paddingBlock: string } {
  return { paddingBlock: `${first * ROW_PX}px ${(count - last) * ROW_PX}px` }
}

/** Said where the people would be. */
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
