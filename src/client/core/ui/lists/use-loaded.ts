import { useCallback, useEffect, useState } from 'react'

export type Loaded<T> = { state: 'loading' | 'failed'; value: null } | { state: 'loaded'; value: T }

/**
 * Loads a value at the first render and whenever `load` changes; `reload` is for a retry. Failures are logged to the
 * console, as the specification has no text for them.
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading', value: null })
  const start = useCallback(() => {
    let isCurrent = true
    setLoaded({ state: 'loading', value: null })
    load().then(
      (value) => isCurrent && setLoaded({ state: 'loaded', value }),
      (error) => {
        console.warn('Loading failed.', error)
        if (isCurrent) setLoaded({ state: 'failed', value: null })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  useEffect(start, [start])
  return { ...loaded, reload: () => void start() }
}
