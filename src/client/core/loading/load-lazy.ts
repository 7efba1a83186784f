import { ChunkUnavailable } from './load-chunk.ts'

/** Events after which a failed load may succeed: live/state.ts sends the first; in a page without a connection, its use counts. */
const RETRY_EVENTS = ['meydan:connected', 'online', 'pointerdown', 'keydown', 'click']

/** Resolves when the connection returns or the page is used. */
function nextRetryMoment(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    for (const name of RETRY_EVENTS) addEventListener(name, resolve, { capture: true, signal })
  })
}

/**
 * Loads code that the page uses without a click. When its files cannot be fetched, it waits for the connection and
 * retries; it rejects only where a retry cannot help. Code that a click opens is imported directly, and its failure shown.
 */
export async function loadLazy<T>(load: () => Promise<T>): Promise<T> {
  // Before the load: the connection may return while a fetch still waits for its time-out.
  const listening = new AbortController()
  const retryMoment = nextRetryMoment(listening.signal)
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof ChunkUnavailable)) throw error
    console.warn(error)
    await retryMoment
  } finally {
    listening.abort()
  }
  return loadLazy(load)
}
