import { type ReactNode, useEffect, useRef } from 'react'
import { USERS_NOT_LOADED } from '../../shared/presence/rules.ts'
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
export function PeopleRows({ view, viewerId }: { view: PeopleView; viewerId: number }): ReactNode {
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

  const row = (index: number): ReactNode => {
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
  }
  // Before it is measured there is no space: what the server sends has no style attributes, its policy forbids them.
  const drawn = Array.from({ length: last - first }, (_, offset) => row(first + offset))
  if (activeIndex < first) drawn.unshift(row(activeIndex))
  else if (activeIndex >= last && activeIndex < count) drawn.push(row(activeIndex))

  return (
    <>
      <div ref={scroller} className="panel-scroll" tabIndex={-1} {...handlers}>
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
