import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { PeopleView } from './people-rows.tsx'
import { ROW_PX } from './row-window.ts'

/** Keyboard navigation of a list of which only a part is drawn. */
interface RovingTabindex {
  /** The row in the tab order. */
  activeIndex: number
  onKeyDown(event: KeyboardEvent): void
}

/**
 * One row of the list is in the tab order, and the arrows move from it. The focus stays with its person when others
 * join or leave, and moves to the next row when the person leaves.
 */
export function useRovingTabindex(
  scroller: RefObject<HTMLElement | null>,
  { users, total, isComplete, loadRows }: PeopleView,
): RovingTabindex {
  const [heldId, setHeldId] = useState<number | null>(null)
  /** That person's row: when they leave, the row at this index becomes active. */
  const lastIndex = useRef(0)
  const hasFocus = useRef(false)
  /** End was pressed, and more rows are still loading. */
  const isForEnd = useRef(false)
  const found = heldId === null ? 0 : users.findIndex(({ id }) => id === heldId)
  const active = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, users.length - 1))

  const goTo = (index: number): void => {
    const person = users[index]
    const { current } = scroller
    if (!person || !current) return
    scrollRowIntoView(current, index)
    hasFocus.current = true
    setHeldId(person.id)
  }

  useFocusTracking(
    scroller,
    (id) => {
      hasFocus.current = !Number.isNaN(id)
      if (hasFocus.current) setHeldId(id)
    },
    () => {
      hasFocus.current = false
      isForEnd.current = false
    },
  )

  // The row may have been drawn only now, or have moved, or its person may have left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row's person counts as well as its index
  useLayoutEffect(() => {
    lastIndex.current = active
    if (found < 0) setHeldId(users[active]?.id ?? null)
    if (isForEnd.current && active !== users.length - 1) goTo(users.length - 1)
    isForEnd.current &&= !isComplete
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)
    if (hasFocus.current && row !== document.activeElement) row?.focus({ preventScroll: true })
  }, [scroller, active, users])

  const onKeyDown = (event: KeyboardEvent): void => {
    const to = targetRow(event, active, users.length - 1, scroller.current?.clientHeight ?? 0)
    if (to === null) return
    event.preventDefault()
    goTo(to)
    isForEnd.current = event.key === 'End' && !isComplete
    if (isForEnd.current) void loadRows(0, total)
  }
  return { activeIndex: active, onKeyDown }
}

/** The index to which a key moves; null for other keys. */
function targetRow(event: KeyboardEvent, active: number, last: number, height: number): number | null {
  const { key, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey) return null
  const page = Math.max(1, Math.floor(height / ROW_PX) - 1)
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  return step === undefined ? null : Math.min(Math.max(0, active + step), last)
}

/**
 * Tracks the focus with the browser's own listeners, because React misses a focus that moves while it renders, as when
 * a modal over the list closes.
 */
function useFocusTracking(
  scroller: RefObject<HTMLElement | null>,
  onFocus: (personId: UserId) => void,
  onLeave: () => void,
): void {
  const listeners = useRef({ onFocus, onLeave })
  useLayoutEffect(() => {
    listeners.current = { onFocus, onLeave }
  })
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const ended = new AbortController()
    const options = { signal: ended.signal }
    current.addEventListener('focusin', ({ target }) => listeners.current.onFocus(rowUserId(target)), options)
    const left = ({ target, relatedTarget }: FocusEvent): void => {
      // When the focused row is removed, the list moves the focus to another row at once.
      queueMicrotask(() => {
        const isGone = relatedTarget === null && target instanceof Element && !target.isConnected
        if (!isGone && !current.contains(document.activeElement)) listeners.current.onLeave()
      })
    }
    current.addEventListener('focusout', left, options)
    return () => ended.abort()
  }, [scroller])
}

/** NaN when the target is no row. */
function rowUserId(target: EventTarget | null): number {
  return target instanceof HTMLElement ? Number(target.dataset.id) : Number.NaN
}

function scrollRowIntoView(scroller: HTMLElement, index: number): void {
  const top = index * ROW_PX
  const { scrollTop, clientHeight } = scroller
  if (top < scrollTop) scroller.scrollTop = top
  else if (top + ROW_PX > scrollTop + clientHeight) scroller.scrollTop = top + ROW_PX - clientHeight
}
