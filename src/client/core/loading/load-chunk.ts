import { HTTP_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'

/** The delay before each retry of a failed fetch. */
const RETRY_DELAYS_MS = [1_000, 2_000]

/** A file that could not be fetched, but may be later. */
export class ChunkUnavailable extends Error {}

/** Files of chunks, by path, that are fetched or in flight; of styles those applied or in flight. */
const fetches = new Map<string, Promise<void>>()
const appliedStyles = new Map<string, Promise<void>>()

/**
 * Every `import()` of the browser's code goes through here, in place of Vite's own helper (`server/kernel/render/vite-build.ts`).
 * Browsers never refetch a module whose fetch failed (whatwg/html#6768), so its files are fetched first, in parallel
 * and with retries, and then imported.
 * @param files the chunk, its static imports, and their styles, as paths below `/`
 */
export async function loadChunk<T>(load: () => Promise<T>, files: string[] = []): Promise<T> {
  const linked = linkedPaths()
  const missing = files.map((file) => `/${file}`).filter((path) => !linked.has(path))
  await Promise.all(missing.map((path) => runOnce(fetches, path, prefetchFile)))
  // In order: later styles win.
  await Promise.all(missing.filter(isStylesheet).map((path) => runOnce(appliedStyles, path, applyStyles)))
  return load()
}

/** What the document itself links, so that the browser loads it. Only the head has such links: the body has many elements. */
function linkedPaths(): Set<string | null> {
  const elements = document.head.querySelectorAll('script[src], link[href]:not([data-chunk])')
  return new Set([...elements].map((element) => element.getAttribute('src') ?? element.getAttribute('href')))
}

function isStylesheet(path: string): boolean {
  return path.endsWith('.css')
}

/** Runs once per path; after a failure the next caller runs it again. */
function runOnce(done: Map<string, Promise<void>>, path: string, run: (path: string) => Promise<void>): Promise<void> {
  const running = done.get(path)
  if (running) return running
  const result = run(path)
  done.set(path, result)
  result.catch(() => done.delete(path))
  return result
}

/** Fetches into the browser's cache, from which the import reads. */
async function prefetchFile(path: string, pauses = RETRY_DELAYS_MS): Promise<void> {
  const [pause, ...furtherPauses] = pauses
  let status = 0
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) })
    status = response.status
    if (!response.ok) throw new Error(`${path} answered ${status}`)
    await response.arrayBuffer()
  } catch (error) {
    // A new build removed this page's files: only a reload helps, and live/state.ts offers it.
    if (status === 404) document.dispatchEvent(new Event('meydan:outdated'))
    if (status === 404) throw error
    if (pause === undefined) throw new ChunkUnavailable(path, { cause: error })
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
      reject(new ChunkUnavailable(href))
    })
    document.head.append(link)
  })
}

export { loadChunk as __vitePreload }
