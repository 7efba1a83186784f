import type { ComponentType } from 'react'
import { onTrigger } from './hydration-triggers.ts'
import type { HydrateOn } from './island.tsx'
import { recordClicks, recordInput } from './replay-input.ts'

/** Every island file of the site as a chunk of its own, by its path. `@site` is named in vite.config.ts. */
const chunks = import.meta.glob<Record<string, ComponentType>>('@site/**/*.island.tsx')

/** The islands that are live or wait for their moment; aborting one unmounts it or stops the wait. */
const islands = new Map<Element, AbortController>()

/** Makes the islands inside `part` live, each at its moment. Their props are in JSON blocks of the same part. */
export function hydrateIslands(part: ParentNode): void {
  const props = new Map<string, object>()
  for (const block of part.querySelectorAll('script[data-props]')) {
    for (const [id, value] of Object.entries<object>(JSON.parse(block.textContent))) props.set(id, value)
  }
  for (const element of part.querySelectorAll<HTMLElement>('m-island')) {
    // The server wrote the attribute from a Moment.
    scheduleHydration(element, element.dataset.on as HydrateOn, props.get(element.id) ?? {})
  }
}

/** Ends the islands inside `part`, which is about to go. */
export function unmountIslands(part: Node): void {
  for (const [element, life] of islands) {
    if (!part.contains(element)) continue
    islands.delete(element)
    life.abort()
  }
}

/** @param place where a touch wakes it early */
function scheduleHydration(element: HTMLElement, moment: HydrateOn, props: object, place: HTMLElement = element): void {
  const life = new AbortController()
  islands.set(element, life)
  const waiting = new AbortController()
  life.signal.addEventListener('abort', () => waiting.abort())
  const pressAgain = recordClicks(element, waiting.signal)

  onTrigger(moment, place, waiting.signal, async () => {
    try {
      await hydrateIsland(element, props, life.signal, () => {
        waiting.abort()
        element.dataset.live = ''
        const typeAgain = recordInput(element)
        // React is still committing; it hears events properly once that is over.
        queueMicrotask(() => {
          typeAgain()
          pressAgain()
        })
      })
    } catch (error) {
      waiting.abort()
      if (life.signal.aborted) return
      // The line was cut, or a new version is out: the server's HTML stays, and the next touch of the page tries again.
      console.error(`${element.dataset.name} could not be loaded.`, error)
      scheduleHydration(element, 'interaction', props, document.documentElement)
    }
  })
}

async function hydrateIsland(
  element: HTMLElement,
  props: object,
  life: AbortSignal,
  onLive: () => void,
): Promise<void> {
  const [path = '', name = ''] = element.dataset.name?.split('#') ?? []
  const [chunk, { mountIsland }] = await Promise.all([chunks[path]?.(), import('./mount-island.ts')])
  const component = chunk?.[name]
  if (!component) throw new Error('no such island')
  if (life.aborted) return
  mountIsland(element, component, props, onLive, life)
}
