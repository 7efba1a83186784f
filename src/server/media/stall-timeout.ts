/** Nothing came for too long. */
export class StallError extends Error {}

/** What this resolves with; rejects with Stalled when that takes longer than `ms`. What it waits for goes on unheard. */
export async function withTimeout<T>(ms: number, awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StallError(`nothing came for ${ms} ms`)), ms)
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
export async function* withStallTimeout<T>(patienceMs: () => number, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withTimeout(patienceMs(), iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not waited for: where a source hangs, so does this.
    iterator.return?.().catch(() => {})
  }
}
