import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { UserId } from '../../shared/protocol/ids.ts'

/** Specification 2, point 9. */
export const ROW_PX = 80
/** Rows that are there beyond what is in view, so that a quick finger finds them drawn. */
const OVERSCAN_ROWS = 6
/** The window moves by so many rows at a time: a redraw for each would be more than is seen. */
const STRIDE_ROWS = 4

/** So many rows no screen has. */
const MAX_ROWS_IN_VIEW = 60

/** Rows that are in the page: `last` is the first one that is not. */
export interface RowWindow {
  first: number
  last: number
}

/** What the server renders, and the browser hydrates, before anything can be measured. */
export const INITIAL_ROW_WINDOW: RowWindow = { first: 0, last: 14 }

/** The rows to be drawn when `height` pixels from `top` are in view. */
export function rowWindowAt(top: number, height: number): RowWindow {
  const first = Math.floor(Math.max(0, top) / ROW_PX)
  const last = Math.ceil((Math.max(0, top) + height) / ROW_PX)
  return {
    first: Math.max(0, Math.floor((first - OVERSCAN_ROWS) / STRIDE_ROWS) * STRIDE_ROWS),
    last: Math.ceil((last + OVERSCAN_ROWS) / STRIDE_ROWS) * STRIDE_ROWS,
  }
}

/**
 * Follows what of a scrolling list is in view. Whoever is read stays where they are on the screen when others come or go
 * above them; at the top of the list, whoever comes is seen.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, people: readonly { id: UserId }[]): RowWindow {
  const [shown, setShown] = useState<RowWindow>(INITIAL_ROW_WINDOW)
  const seen = useRef({ people, top: 0 })
  const look = useCallback((): void => {
    const { current } = scroller
    if (!current) return
    seen.current.top = current.scrollTop
    const { first, last } = rowWindowAt(current.scrollTop, current.clientHeight)
    setShown((before) => {
      const isSame = before !== INITIAL_ROW_WINDOW && before.first === first && before.last === last
      return isSame ? before : { first, last }
    })
  }, [scroller])
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const observer = new ResizeObserver(look)
    observer.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [scroller, look])
  useLayoutEffect(() => {
    const { people: before, top } = seen.current
    seen.current.people = people
    const { current } = scroller
    if (!current || before === people || top === 0) return
    const moved = rowShift(before, people, Math.floor(top / ROW_PX))
    if (moved !== 0) current.scrollTop = top + moved * ROW_PX
    look()
  }, [scroller, people, look])
  return shown
}

/** How many rows further down whoever was in the first row in view is now, or whoever of those behind is still there. */
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
