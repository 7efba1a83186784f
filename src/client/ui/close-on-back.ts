/** The state of an entry of the history that a part has added. */
interface PartEntry {
  openPart: string
  /** How many parts are open with it; parts over others have more. */
  depth: number
  /** The path of the page without this part. */
  closedPath: string
}

/** The entry of a part that has ended, as long as it is not left yet. */
let freeEntry: PartEntry | null = null
/** An entry is being left. Browsers do so later, and would leave one that is added meanwhile. */
let isGoingBack = false

/**
 * Adds a history entry that Back leaves, and calls `close` then. Answers a function that removes the entry. An entry of
 * this name that the browser has returned to is used again.
 * @param name of the part, and of what it shows
 * @param path of the page with the part, if it has a URL of its own
 */
export function closeOnBack(name: string, close: () => void, path?: string): () => void {
  return afterGoingBack(() => addEntry(name, close, path))
}

/**
 * As `closeOnBack`, for a part that may be above another one: without one below it there is no entry, and Back leaves the
 * page.
 */
export function closeOnBackAbovePart(name: string, close: () => void): () => void {
  return afterGoingBack(() => (presentEntry() && !freeEntry ? addEntry(name, close) : () => {}))
}

/** Calls `add` when no entry is being left. Answers a function that undoes it, or prevents it. */
function afterGoingBack(add: () => () => void): () => void {
  if (!isGoingBack) return add()
  let remove = (): void => removeEventListener('popstate', addNow)
  const addNow = (): void => {
    remove = add()
  }
  addEventListener('popstate', addNow, { once: true })
  return () => remove()
}

function addEntry(name: string, close: () => void, path?: string): () => void {
  const present = freeEntry ?? presentEntry()
  if (freeEntry || present?.openPart !== name) {
    const closedPath = freeEntry?.closedPath ?? location.pathname + location.search
    const depth = freeEntry?.depth ?? (present?.depth ?? 0) + 1
    const entry: PartEntry = { openPart: name, depth, closedPath }
    if (freeEntry) history.replaceState(entry, '', path ?? closedPath)
    else history.pushState(entry, '', path)
  }
  freeEntry = null
  const ownDepth = presentEntry()?.depth ?? 0
  const onBack = (): void => {
    // Parts over this one add entries of their own, which Back leaves first.
    if ((presentEntry()?.depth ?? 0) < ownDepth) close()
  }
  addEventListener('popstate', onBack)
  return () => {
    removeEventListener('popstate', onBack)
    const entry = presentEntry()
    if (entry?.openPart === name && entry.depth === ownDepth) leaveEntry(entry)
    else if (entry && entry.depth > ownDepth) leaveEntryLater(name, ownDepth)
  }
}

function presentEntry(): PartEntry | null {
  const state: Partial<PartEntry> | null = history.state // only this file and navigations set it
  return state?.openPart === undefined ? null : (state as PartEntry)
}

/** A part that opens in place of this one takes its entry over. */
function leaveEntry(entry: PartEntry): void {
  freeEntry = entry
  queueMicrotask(() => {
    if (freeEntry) goBack()
    freeEntry = null
  })
}

function goBack(): void {
  isGoingBack = true
  const onBack = (): void => {
    isGoingBack = false
  }
  addEventListener('popstate', onBack, { once: true })
  history.back()
}

/** Leaves the entry of a part that has ended below another one, once it is the present one. */
function leaveEntryLater(name: string, depth: number): void {
  const leave = (): void => {
    const entry = presentEntry()
    const isPresent = entry?.openPart === name && entry.depth === depth
    if (isPresent) goBack()
    if (isPresent || (entry?.depth ?? 0) < depth) removeEventListener('popstate', leave)
  }
  addEventListener('popstate', leave)
}
