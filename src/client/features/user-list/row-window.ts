import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'

/** Specification 2, point 9. */
export const ROW_PX = 80
/** Rows drawn beyond the viewport, so that fast scrolling shows no gap. */
const OVERSCAN_ROWS = 6
/** The window moves in steps of this many rows, to avoid a redraw for each row. */
const STRIDE_ROWS = 4

/** More rows than any screen shows. */
const MAX_ROWS_IN_VIEW = 60

/** The drawn rows from `first` (inclusive) to `last` (exclusive). */
export interface RowWindow {
  first: number
  last: number
}

/** The rows that the server renders and the browser hydrates, before the first measurement. */
export const INITIAL_ROW_WINDOW: RowWindow = { first: 0, last: 14 }

/** The rows to draw when `height` pixels from `top` are in view. */
export function rowWindowAt(top: number, height: number): RowWindow {
  const first = Math.floor(Math.max(0, top) / ROW_PX)
  const last = Math.ceil((Math.max(0, top) + height) / ROW_PX)
  return {
    first: Math.max(0, Math.floor((first - OVERSCAN_ROWS) / STRIDE_ROWS) * STRIDE_ROWS),
    last: Math.ceil((last + OVERSCAN_ROWS) / STRIDE_ROWS) * STRIDE_ROWS,
  }
}

/**
 * Follows the scroll position of a list. Rows in view keep their position on the screen when people above them join or
 * leave; at the top of the list new rows become visible.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, people: readonly { id: UserId }[]): RowWindow {
  const [shown, setShown] = useState<RowWindow>(INITIAL_ROW_WINDOW)
  const lastSeen = useRef({ people, top: 0 })
  const updateWindow = useCallback((): void => {
    const { current } = scroller
    if (!current) return
    lastSeen.current.top = current.scrollTop
    const { first, last } = rowWindowAt(current.scrollTop, current.clientHeight)
    setShown((before) => {
      const isSame = before !== INITIAL_ROW_WINDOW && before.first === first && before.last === last
      return isSame ? before : { first, last }
    })
  }, [scroller])
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    // It also measures the list before its first paint: a read here would force a layout.
    const observer = new ResizeObserver(updateWindow)
    observer.observe(current)
    current.addEventListener('scroll', updateWindow, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', updateWindow)
    }
  }, [scroller, updateWindow])
  useLayoutEffect(() => {
    const { people: before, top } = lastSeen.current
    lastSeen.current.people = people
    const { current } = scroller
    if (!current || before === people || top === 0) return
    const moved = rowShift(before, people, Math.floor(top / ROW_PX))
    if (moved !== 0) current.scrollTop = top + moved * ROW_PX
    updateWindow()
  }, [scroller, people, updateWindow])
  return shown
}

/** By how many rows the first row in view has moved down; if its person has left, the next remaining row. */
export function rowShift(
  before: readonly { id: UserId }[],
  now: readonly { id: UserId }[],
  firstInView: number,
): number {
  for (let row = firstInView; row < before.length && row < firstInView + MAX_ROWS_IN_VIEW; row++) {
    const id = before[row]?.id
    if (now[row]?.id === id) return 0
    const found = now.findIndex((person) => person.id === id)
    if (found >= 0) return found - row
  }
  return 0
}
