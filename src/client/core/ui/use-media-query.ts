import { useCallback, useSyncExternalStore } from 'react'

/** On wide screens a side panel is beside the thread, else a sheet. rooms/room-frame.css has the same width. */
export const WIDE_SCREEN_QUERY = '(min-width: 1024px)'

/** Whether a media query matches. The server renders `serverValue`, and CSS corrects the layout. */
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
