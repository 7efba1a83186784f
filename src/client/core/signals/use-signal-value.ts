import { useCallback, useSyncExternalStore } from 'react'
import type { ReadonlySignal } from './signal.ts'

/** A hidden tab gets no animation frames, so it redraws after this delay. */
const FRAME_TIMEOUT_MS = 100
/** When a component is drawn again after its signal changed. */
type Schedule = (redraw: () => void) => void

const pendingRedraws = new Set<() => void>()

/**
 * The current value of a signal of a module, redrawing when it changes. Signals of one island are made with `useSignal`
 * and `useComputed` of `@preact/signals-react`, and this hook reads them too.
 *
 * `serverValue` is what the server rendered with (a prop, or the signal's initial value). React hydrates with it and
 * redraws with the present value right after. The library's own `useSignals` hydrates with the present value instead:
 * where the signal changed before a lazy island hydrates, React throws the server's HTML away (error 418).
 */
export function useSignalValue<T>(source: ReadonlySignal<T>, serverValue: T, schedule: Schedule = redrawNow): T {
  const subscribe = useCallback(
    (redraw: () => void) => {
      const unsubscribe = source.subscribe(() => schedule(redraw))
      return () => {
        unsubscribe()
        pendingRedraws.delete(redraw)
      }
    },
    [source, schedule],
  )
  return useSyncExternalStore(
    subscribe,
    () => source.peek(),
    () => serverValue,
  )
}

/** As `useSignalValue`, but redraws at most once a frame: for values that change often. */
export function useFrameSignalValue<T>(source: ReadonlySignal<T>, serverValue: T): T {
  return useSignalValue(source, serverValue, redrawNextFrame)
}

function redrawNow(redraw: () => void): void {
  redraw()
}

function redrawNextFrame(redraw: () => void): void {
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
