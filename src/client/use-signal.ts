import { useCallback, useSyncExternalStore } from 'react'
import type { ReadonlySignal } from './signal.ts'

/** Where no frame comes, as in a tab that is not in front, it is drawn after this long. */
const FRAME_TIMEOUT_MS = 100
const pendingRedraws = new Set<() => void>()

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

/** The same, redrawing once a frame however often it changes: for what many people change at the same time. */
export function useFrameSignal<T>(source: ReadonlySignal<T>, serverValue: T): T {
  const subscribe = useCallback(
    (redraw: () => void) => {
      const stop = source.subscribe(() => scheduleRedraw(redraw))
      return () => {
        stop()
        pendingRedraws.delete(redraw)
      }
    },
    [source],
  )
  return useSyncExternalStore(
    subscribe,
    () => source.peek(),
    () => serverValue,
  )
}

function scheduleRedraw(redraw: () => void): void {
  const isFirst = pendingRedraws.size === 0
  pendingRedraws.add(redraw)
  if (!isFirst) return
  const drawAll = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    const all = [...pendingRedraws]
    pendingRedraws.clear()
    for (const draw of all) draw()
  }
  const frame = requestAnimationFrame(drawAll)
  const timer = setTimeout(drawAll, FRAME_TIMEOUT_MS)
}
