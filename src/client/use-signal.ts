import { useCallback, useSyncExternalStore } from 'react'
import type { ReadonlySignal } from './signal.ts'

/**
 * The current value of a signal, redrawing when it changes.
 *
 * `serverValue` is what the server rendered with (a prop, or the signal's initial value). React hydrates with
 * it and redraws with the present value at once after, so a signal that changed before a lazy island hydrates
 * does not make React throw the server's HTML away (error 418).
 */
export function useSignal<T>(source: ReadonlySignal<T>, serverValue: T): T {
  const subscribe = useCallback((redraw: () => void) => source.subscribe(redraw), [source])
  return useSyncExternalStore(
    subscribe,
    () => source.peek(),
    () => serverValue,
  )
}
