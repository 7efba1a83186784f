import { isUnloadAllowed } from './unload-guard.ts'

/** The state of an entry of the history, besides what a navigation has set. */
interface EntryState {
  /** How many layers are open in it. */
  depth: number
  /** The path of the page without layers. */
  pagePath: string
  /** Whether its topmost layer has a URL of its own, with which its feature opens it again. */
  hasPath: boolean
}

interface Layer {
  close: () => void
  path: string | undefined
}

/** What is open above the page, the topmost last. The history has an entry for each, above that of the page. */
let layers: readonly Layer[] = []
/** The page that has the layers. */
let shownPathname = ''
/** `history.go` was called. It takes effect later, and an entry that is added meanwhile would be left too. */
let isTraversing = false
/** Layers are closing after Back, and have not left `layers` yet. */
let isClosing = false
/** The browser has come to an entry whose layer its feature opens again. */
let isReopening = false
let isSettling = false
let isListening = false
const userTraversalListeners: (() => void)[] = []

/**
 * Adds a layer above the page: Back calls `close` on the topmost one. One that stays then, such as a form that asks first,
 * has an entry again. Returns a function that removes the layer and leaves its entry.
 * @param path of the page with the layer, if it has a URL of its own
 */
export function closeOnBack(close: () => void, path?: string): () => void {
  return addLayer({ close, path }, (layer) => [...layers, layer])
}

/** As `closeOnBack`, for a layer below all others. */
export function closeOnLastBack(close: () => void): () => void {
  return addLayer({ close, path: undefined }, (layer) => [layer, ...layers])
}

/** Whether the present entry of the history is that of a layer, as after a reload with one. */
export function isLayerEntry(): boolean {
  return (presentEntry()?.depth ?? 0) > 0
}

/** Leaves the entries of all layers, before the page is replaced by another one and they close. */
export async function leaveLayerEntries(): Promise<void> {
  listen()
  layers = []
  isReopening = false
  isClosing = false
  settle()
  // Layers that have just closed may be left already: what is below them is left after that.
  while (isTraversing) await nextPopState()
}

/** Calls `listener` when the user has moved in the history, and not when the entries of closed layers are left. */
export function onUserTraversal(listener: () => void): void {
  listen()
  userTraversalListeners.push(listener)
}

function addLayer(layer: Layer, insert: (layer: Layer) => readonly Layer[]): () => void {
  listen()
  layers = insert(layer)
  if (layer.path !== undefined) isReopening = false
  settleSoon()
  return () => {
    if (!layers.includes(layer)) return
    layers = layers.filter((each) => each !== layer)
    isReopening = false
    settleSoon()
  }
}

function listen(): void {
  if (isListening) return
  isListening = true
  isReopening = presentEntry()?.hasPath ?? false
  addEventListener('popstate', onPopState)
}

function onPopState(): void {
  const isOwn = isTraversing
  isTraversing = false
  const entry = presentEntry()
  if (isOwn) settle()
  else if (location.pathname !== shownPathname) layers = []
  // A link to another place in the page: the layers stay.
  else if (!entry) stampEntry(layers.length)
  else closeLayersAbove(entry)
  if (!isOwn) for (const listener of userTraversalListeners) listener()
}

function closeLayersAbove({ depth, hasPath }: EntryState): void {
  isReopening = hasPath && depth > layers.length
  isClosing = true
  for (const layer of layers.slice(depth).reverse()) layer.close()
  // After React has removed what has closed.
  setTimeout(() => {
    isClosing = false
    settle()
  })
}

/** In a microtask: a layer that opens in place of another one takes its entry over. */
function settleSoon(): void {
  if (isSettling) return
  isSettling = true
  queueMicrotask(() => {
    isSettling = false
    settle()
  })
}

/** Adds entries for new layers, or leaves those of removed ones. */
function settle(): void {
  if (isTraversing || isClosing || isUnloadAllowed()) return
  const depth = presentEntry()?.depth ?? 0
  // What stands in for the layer that is opened again has no path, and its entry keeps one.
  if (isReopening && depth >= layers.length) return
  if (depth > layers.length) {
    traverse(layers.length - depth)
    return
  }
  if (layers.length === 0 && depth === 0 && !presentEntry()) return
  stampEntry(depth)
  for (let next = depth + 1; next <= layers.length; next++) {
    const state = entryState(next)
    history.pushState(state, '', pathAt(next, state.pagePath))
  }
}

/** Gives the present entry its state, and the path of its layer. */
function stampEntry(depth: number): void {
  shownPathname = location.pathname
  const state = entryState(depth)
  const path = pathAt(depth, state.pagePath)
  if (path === pathOf(location)) history.replaceState({ ...history.state, ...state }, '')
  else history.replaceState({ ...history.state, ...state }, '', path)
}

function entryState(depth: number): EntryState {
  const pagePath = presentEntry()?.pagePath ?? pathOf(location)
  return { depth, pagePath, hasPath: layers[depth - 1]?.path !== undefined }
}

/** The URL of a layer stays while others are open above it. */
function pathAt(depth: number, pagePath: string): string {
  return layers.slice(0, depth).findLast(({ path }) => path !== undefined)?.path ?? pagePath
}

function pathOf({ pathname, search }: Location): string {
  return pathname + search
}

function presentEntry(): EntryState | null {
  const state: Partial<EntryState> | null = history.state // set here and by navigations only
  return state?.depth === undefined ? null : (state as EntryState)
}

function traverse(steps: number): void {
  isTraversing = true
  history.go(steps)
}

function nextPopState(): Promise<unknown> {
  return new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
}
