import type { ComponentType } from 'react'
import { loadLazy } from '../loading/load-lazy.ts'
import { onTrigger } from './hydration-triggers.ts'
import type { HydrateOn, SentProps } from './island.tsx'

/** Every island file of the site as its own chunk, by path. vite.config.ts defines `@site`. */
const chunks = import.meta.glob<Record<string, ComponentType>>('@site/**/*.island.tsx')

/** The islands that are live or wait for their trigger; aborting one unmounts it or stops the wait. */
const islands = new Map<Element, AbortController>()

/** Makes the islands inside `part` live, each at its trigger. Their props are in JSON blocks of the same part. */
export function hydrateIslands(part: ParentNode): void {
  const props = new Map<string, Record<string, unknown>>()
  for (const block of part.querySelectorAll('script[data-props]')) {
    for (const [id, [own, shared = {}]] of Object.entries<SentProps>(JSON.parse(block.textContent))) {
      for (const [prop, [otherId, otherProp]] of Object.entries(shared)) own[prop] = props.get(otherId)?.[otherProp]
      props.set(id, own)
    }
  }
  const elements = [...part.querySelectorAll<HTMLElement>('m-island')]
  const isEager = ({ dataset }: HTMLElement): boolean => dataset.on === 'load'
  const schedule = (element: HTMLElement, loaded: Promise<unknown>): Promise<void> =>
    new Promise((onLive) => scheduleHydration(element, props.get(element.id) ?? {}, loaded, onLive))
  const loaded = Promise.all(elements.filter(isEager).map((element) => schedule(element, Promise.resolve())))
  for (const element of elements) if (!isEager(element)) void schedule(element, loaded)
}

/** Unmounts the islands inside `part`, which is about to be removed. */
export function unmountIslands(part: Node): void {
  for (const [element, lifetime] of islands) {
    if (!part.contains(element)) continue
    islands.delete(element)
    lifetime.abort()
  }
}

function scheduleHydration(
  element: HTMLElement,
  props: object,
  loaded: Promise<unknown>,
  notifyLive: () => void,
): void {
  // The server wrote the attribute from a HydrateOn.
  const trigger = element.dataset.on as HydrateOn
  const [path = '', name = ''] = element.dataset.name?.split('#') ?? []
  const lifetime = new AbortController()
  islands.set(element, lifetime)
  const pendingWait = new AbortController()
  lifetime.signal.addEventListener('abort', () => pendingWait.abort())
  const replayClicks = recordClicks(element, pendingWait.signal)

  onTrigger(trigger, element, loaded, pendingWait.signal, async () => {
    // The server's HTML stays as long as the code cannot be loaded.
    // React is a task of its own: with the chunk it would be one long task. The document has linked the files of `load`.
    if (trigger === 'load') await loadLazy(() => import('./mount-island.ts'))
    const [chunk, { mountIsland }] = await loadLazy(() => Promise.all([chunks[path]?.(), import('./mount-island.ts')]))
    const component = chunk?.[name]
    if (!component) throw new Error('no such island')
    if (lifetime.signal.aborted) return
    const onLive = (): void => {
      pendingWait.abort()
      element.dataset.live = ''
      notifyLive()
      // After the input, which mount-island.ts replays.
      queueMicrotask(() => replayClicks())
    }
    mountIsland(element, component, props, onLive, lifetime.signal)
  })
}

/** Records clicks on plain buttons until `stop`; the returned function clicks the last of them again. */
function recordClicks(island: Element, stop: AbortSignal): () => void {
  let pressed: HTMLElement | null = null
  const record = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : null
    // Links and submit buttons do their work without a script, so they are left alone.
    pressed = target?.closest<HTMLElement>('button[type=button]') ?? null
  }
  island.addEventListener('click', record, { signal: stop })
  return () => {
    if (pressed?.isConnected) pressed.click()
  }
}
