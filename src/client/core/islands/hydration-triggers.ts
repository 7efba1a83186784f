import type { HydrateOn } from './island.tsx'

const INTERACTION_EVENTS = ['pointerdown', 'focusin', 'keydown', 'input', 'click'] as const

/**
 * Calls `wake` once at the island's trigger, or earlier at an interaction; never after `stop`.
 * @param loaded resolves when the islands of `load` are live
 */
export function onTrigger(
  trigger: HydrateOn,
  island: Element,
  loaded: Promise<unknown>,
  stop: AbortSignal,
  wake: () => void,
): void {
  const woken = new AbortController()
  const signal = AbortSignal.any([stop, woken.signal])
  const wakeOnce = (): void => {
    if (signal.aborted) return
    woken.abort()
    wake()
  }
  for (const eventName of INTERACTION_EVENTS) island.addEventListener(eventName, wakeOnce, { signal, passive: true })
  if (trigger === 'load') wakeOnce()
  if (trigger === 'afterLoad') void loaded.then(wakeOnce)
  if (trigger === 'idle') whenIdle(wakeOnce, signal)
  if (trigger === 'visible') whenVisible(island, wakeOnce, signal)
}

/** Safari has no requestIdleCallback, so a pause replaces it. */
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
