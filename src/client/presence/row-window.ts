import { type RefObject, useLayoutEffect, useState } from 'react'

/** Specification 2, point 9. */
export const ROW_PX = 80
/** Rows that are there beyond what is in view, so that a quick finger finds them drawn. */
const SPARE = 6
/** The window moves by so many rows at a time: a redraw for each would be more than is seen. */
const STRIDE = 4

/** Rows that are in the page: `last` is the first one that is not. */
export interface RowWindow {
  first: number
  last: number
}

/** What the server renders, and the browser hydrates, before anything can be measured. */
export const UNMEASURED: RowWindow = { first: 0, last: 14 }

/** The rows to be drawn when `height` pixels from `top` are in view. */
export function windowOf(top: number, height: number): RowWindow {
  const first = Math.floor(Math.max(0, top) / ROW_PX)
  const last = Math.ceil((Math.max(0, top) + height) / ROW_PX)
  return {
    first: Math.max(0, Math.floor((first - SPARE) / STRIDE) * STRIDE),
    last: Math.ceil((last + SPARE) / STRIDE) * STRIDE,
  }
}

/** Follows what of a scrolling list is in view. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>): RowWindow {
  const [shown, setShown] = useState<RowWindow>(UNMEASURED)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const look = (): void => {
      const { first, last } = windowOf(current.scrollTop, current.clientHeight)
      setShown((before) => {
        const isSame = before !== UNMEASURED && before.first === first && before.last === last
        return isSame ? before : { first, last }
      })
    }
    const observer = new ResizeObserver(look)
    observer.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [scroller])
  return shown
}
