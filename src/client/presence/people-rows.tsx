import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { BlankRow, PersonRow } from './person-row.tsx'
import { ROW_PX, type RowWindow, UNMEASURED, useRowWindow } from './row-window.ts'
import { useRoving } from './use-roving.ts'

/** A list of people of which some may still have to be loaded. */
export interface PeopleView {
  users: readonly Person[]
  /** How many there are; those beyond `users` are not loaded yet. */
  total: number
  /** Loads until that many of the first are there. False when some did not come. */
  loadThrough(count: number): Promise<boolean>
}

/** The rows that are in view, in a list as tall as all of them. */
export function PeopleRows({ view, viewerId }: { view: PeopleView; viewerId: number }): ReactNode {
  const { users, total } = view
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(scroller)
  const { active, ...handlers } = useRoving(scroller, users, view.loadThrough, total)
  const failure = useLoading(view, shown.last)
  const count = Math.max(users.length, total)
  const last = Math.min(shown.last, count)
  const first = Math.min(shown.first, last)

  const row = (index: number): ReactNode => {
    const person = users[index]
    if (!person) return <BlankRow key={`blank ${index}`} />
    return (
      <PersonRow
        key={person.id}
        person={person}
        isViewer={person.id === viewerId}
        index={index}
        count={count}
        isActive={index === active}
        isApart={index < first || index >= last}
      />
    )
  }
  // Before it is measured there is no space: what the server sends has no style attributes, its policy forbids them.
  const drawn = Array.from({ length: last - first }, (_, offset) => row(first + offset))
  if (active < first) drawn.unshift(row(active))
  else if (active >= last && active < count) drawn.push(row(active))

  return (
    <>
      <div ref={scroller} className="panel-scroll" tabIndex={-1} {...handlers}>
        <ul
          className="people"
          aria-label="Kullanıcı listesi"
          {...(shown !== UNMEASURED && { style: spaceAround({ first, last }, count) })}
        >
          {drawn}
        </ul>
      </div>
      {failure && <LoadFailure retry={failure} />}
    </>
  )
}

function spaceAround({ first, last }: RowWindow, count: number): { paddingBlock: string } {
  return { paddingBlock: `${first * ROW_PX}px ${(count - last) * ROW_PX}px` }
}

/** Sees to it that the rows in view are loaded. Answers how to try again, while some did not come. */
function useLoading({ users, total, loadThrough }: PeopleView, wanted: number): (() => void) | null {
  const [hasFailed, setFailed] = useState(false)
  const isMissing = users.length < total
  // biome-ignore lint/correctness/useExhaustiveDependencies: other people in the list ask for those of theirs
  useEffect(() => {
    let isCurrent = true
    if (isMissing && !hasFailed) {
      loadThrough(wanted).then((isThere) => {
        if (isCurrent && !isThere) setFailed(true)
      })
    }
    if (!isMissing) setFailed(false)
    return () => {
      isCurrent = false
    }
  }, [users, isMissing, hasFailed, wanted, loadThrough])
  return hasFailed ? () => setFailed(false) : null
}

/** Said where the people would be. */
export function LoadFailure({ retry }: { retry: () => void }): ReactNode {
  return (
    <div className="people-failure">
      <p role="alert">Kullanıcılar alınırken bir hata oluştu.</p>
      <button type="button" className="link-button" onClick={retry}>
        Tekrar dene
      </button>
    </div>
  )
}
