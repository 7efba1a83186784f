import type { HydrateOn } from './island.tsx'

const INTERACTION_EVENTS = ['pointerdown', 'focusin', 'keydown', 'input', 'click'] as const

/** Calls `wake` once when the island's moment comes, or earlier when it is touched; never after `stop`. */
export function onTrigger(moment: HydrateOn, island: Element, stop: AbortSignal, wake: () => void): void {
  const woken = new AbortController()
  const signal = AbortSignal.any([stop, woken.signal])
  const wakeOnce = (): void => {
    if (signal.aborted) return
    woken.abort()
    wake()
  }
  for (const touch of INTERACTION_EVENTS) island.addEventListener(touch, wakeOnce, { signal, passive: true })
  if (moment === 'load') wakeOnce()
  if (moment === 'idle') whenIdle(wakeOnce, signal)
  if (moment === 'visible') whenVisible(island, wakeOnce, signal)
}

/** Safari has no requestIdleCallback: there, a pause after loading has to do. */
function whenIdle(wake: () => void, signal: AbortSignal): void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(wake, 200)
    signal.addEventListener('abort', () => clearTimeout(timer))
    return
  }
  const handle = requestIdleCallback(wake, { timeout: 2000 })
  signal.addEventListener('abort', () => cancelIdleCallback(handle))
}

/** An island is `display: contents`, which has no box to observe, so its children are observed. */
function whenVisible(island: Element, wake: () => void, signal: AbortSignal): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) wake()
    },
    { rootMargin: '100px' },
  )
  for (const child of island.children) observer.observe(child)
  signal.addEventListener('abort', () => observer.disconnect())
}
