import type { ComponentType } from 'react'
import { onTrigger } from './hydration-triggers.ts'
import type { HydrateOn } from './island.tsx'
import { recordClicks, recordInput } from './replay-input.ts'

/** Every island file of the site as its own chunk, by path. vite.config.ts defines `@site`. */
const chunks = import.meta.glob<Record<string, ComponentType>>('@site/**/*.island.tsx')

/** The islands that are live or wait for their trigger; aborting one unmounts it or stops the wait. */
const islands = new Map<Element, AbortController>()

/** Makes the islands inside `part` live, each at its trigger. Their props are in JSON blocks of the same part. */
export function hydrateIslands(part: ParentNode): void {
  const props = new Map<string, object>()
  for (const block of part.querySelectorAll('script[data-props]')) {
    for (const [id, value] of Object.entries<object>(JSON.parse(block.textContent))) props.set(id, value)
  }
  for (const element of part.querySelectorAll<HTMLElement>('m-island')) {
    // The server wrote the attribute from a HydrateOn.
    scheduleHydration(element, element.dataset.on as HydrateOn, props.get(element.id) ?? {})
  }
}

/** Unmounts the islands inside `part`, which is about to be removed. */
export function unmountIslands(part: Node): void {
  for (const [element, lifetime] of islands) {
    if (!part.contains(element)) continue
    islands.delete(element)
    lifetime.abort()
  }
}

/** @param touchArea an interaction inside it hydrates the island early */
function scheduleHydration(
  element: HTMLElement,
  trigger: HydrateOn,
  props: object,
  touchArea: HTMLElement = element,
): void {
  const lifetime = new AbortController()
  islands.set(element, lifetime)
  const pendingWait = new AbortController()
  lifetime.signal.addEventListener('abort', () => pendingWait.abort())
  const replayClicks = recordClicks(element, pendingWait.signal)

  onTrigger(trigger, touchArea, pendingWait.signal, async () => {
    try {
      await hydrateIsland(element, props, lifetime.signal, () => {
        pendingWait.abort()
        element.dataset.live = ''
        const replayInput = recordInput(element)
        // React handles events only after its commit.
        queueMicrotask(() => {
          replayInput()
          replayClicks()
        })
      })
    } catch (error) {
      pendingWait.abort()
      if (lifetime.signal.aborted) return
      // Offline, or a new version was released: the server's HTML stays, and the next interaction with the page retries.
      console.error(`${element.dataset.name} could not be loaded.`, error)
      scheduleHydration(element, 'interaction', props, document.documentElement)
    }
  })
}

async function hydrateIsland(
  element: HTMLElement,
  props: object,
  lifetime: AbortSignal,
  onLive: () => void,
): Promise<void> {
  const [path = '', name = ''] = element.dataset.name?.split('#') ?? []
  const [chunk, { mountIsland }] = await Promise.all([chunks[path]?.(), import('./mount-island.ts')])
  const component = chunk?.[name]
  if (!component) throw new Error('no such island')
  if (lifetime.aborted) return
  mountIsland(element, component, props, onLive, lifetime)
}
