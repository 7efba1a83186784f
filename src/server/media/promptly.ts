/** Nothing came for too long. */
export class Stalled extends Error {}

/** What this resolves with; rejects with Stalled when that takes longer than `ms`. What it waits for goes on unheard. */
export async function within<T>(ms: number, awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled(`nothing came for ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([awaited, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Passes on what comes; throws Stalled when nothing came for so many milliseconds, which are asked for before each piece.
 * Only time that is waited for the source counts.
 */
export async function* promptly<T>(patienceMs: () => number, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await within(patienceMs(), iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not waited for: where a source hangs, so does this.
    iterator.return?.().catch(() => {})
  }
}
