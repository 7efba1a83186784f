import { useCallback, useEffect, useState } from 'react'

export type Loaded<T> = { state: 'loading' | 'failed'; value: null } | { state: 'loaded'; value: T }

/**
 * Loads something when it is first drawn, and when `load` is another function; `again` is for what has failed. What
 * fails is written to the console: that is all where the specification has no words for it.
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading', value: null })
  const start = useCallback(() => {
    let isWanted = true
    setLoaded({ state: 'loading', value: null })
    load().then(
      (value) => isWanted && setLoaded({ state: 'loaded', value }),
      (error) => {
        console.warn('Something could not be loaded.', error)
        if (isWanted) setLoaded({ state: 'failed', value: null })
      },
    )
    return () => {
      isWanted = false
    }
  }, [load])
  useEffect(start, [start])
  return { ...loaded, reload: () => void start() }
}
