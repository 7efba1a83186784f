import { useCallback, useSyncExternalStore } from 'react'

/** From here on the people panel stands beside the thread; below, it is a sheet. rooms/room-frame.css has the same. */
export const WIDE_SCREEN_QUERY = '(min-width: 1024px)'

/** Whether a media query matches. The server cannot know, so it renders `serverValue` and CSS does the rest. */
export function useMediaQuery(query: string, serverValue: boolean): boolean {
  const subscribe = useCallback(
    (redraw: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', redraw)
      return () => list.removeEventListener('change', redraw)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => serverValue,
  )
}
