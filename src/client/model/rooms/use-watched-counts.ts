import { type RefObject, useEffect } from 'react'
import { watchRoomCounts } from './room-users-state.ts'

/** Watches the counts of the busiest rooms while the element is on the screen. */
export function useWatchedCounts(element: RefObject<Element | null>): void {
  useEffect(() => {
    let unwatch: (() => void) | null = null
    const observer = new IntersectionObserver((entries) => {
      const isShown = entries.at(-1)?.isIntersecting ?? false
      if (isShown) unwatch ??= watchRoomCounts('busiest')
      else {
        unwatch?.()
        unwatch = null
      }
    })
    if (element.current) observer.observe(element.current)
    return () => {
      observer.disconnect()
      unwatch?.()
    }
  }, [element])
}
