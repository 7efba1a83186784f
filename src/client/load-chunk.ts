import { HTTP_TIMEOUT_MS } from '../shared/room-chat/limits.ts'

/** How long it waits before each further try of what did not get through. */
const RETRY_DELAYS_MS = [1_000, 2_000]

/** What chunks needed so far, by path: fetched, and of styles applied, or under way to be. */
const fetches = new Map<string, Promise<void>>()
const appliedStyles = new Map<string, Promise<void>>()

/**
 * Every `import()` of the browser's code goes through here, in place of Vite's own helper (`render/own-imports.ts`).
 * Browsers remember that a module could not be fetched and never ask for it again (whatwg/html#6768), so its files
 * are fetched first, all at the same time and with further tries, and imported when they are there.
 * @param files the chunk, what it imports statically, and their styles, as paths below `/`
 */
export async function loadChunk<T>(load: () => Promise<T>, files: string[] = []): Promise<T> {
  const missing = files.map((file) => `/${file}`).filter((path) => !isLinked(path))
  await Promise.all(missing.map((path) => runOnce(fetches, path, prefetchFile)))
  // In their order: the later one overrules.
  await Promise.all(missing.filter(isStylesheet).map((path) => runOnce(appliedStyles, path, applyStyles)))
  return load()
}

/** What the document itself links comes without our doing. */
function isLinked(path: string): boolean {
  return document.querySelector(`[src="${path}"], [href="${path}"]:not([data-chunk])`) !== null
}

function isStylesheet(path: string): boolean {
  return path.endsWith('.css')
}

/** What failed is done again by the next one that needs it. */
function runOnce(done: Map<string, Promise<void>>, path: string, run: (path: string) => Promise<void>): Promise<void> {
  const known = done.get(path)
  if (known) return known
  const result = run(path)
  done.set(path, result)
  result.catch(() => done.delete(path))
  return result
}

/** Afterwards it is in the browser's cache, from where the import takes it. */
async function prefetchFile(path: string, pauses = RETRY_DELAYS_MS): Promise<void> {
  const [pause, ...furtherPauses] = pauses
  let status = 0
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) })
    status = response.status
    if (!response.ok) throw new Error(`${path} answered ${status}`)
    await response.arrayBuffer()
  } catch (error) {
    // The site has been built anew and this page's files are gone: only a reload helps, which is offered (live/state.ts).
    if (status === 404) document.dispatchEvent(new Event('meydan:outdated'))
    if (status === 404 || pause === undefined) throw error
    await new Promise((resolve) => setTimeout(resolve, pause))
    await prefetchFile(path, furtherPauses)
  }
}

function applyStyles(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  link.dataset.chunk = ''
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${href} could not be applied`))
    })
    document.head.append(link)
  })
}

export { loadChunk as __vitePreload }
