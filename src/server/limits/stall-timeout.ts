/** A source delivered nothing for too long. */
export class StallError extends Error {}

/** Rejects with a StallError when `awaited` takes longer than `ms`. What was awaited is not cancelled. */
export async function withTimeout<T>(ms: number, awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StallError(`nothing came for ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([awaited, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Passes on what `source` yields; throws a StallError when the next piece takes longer than `remainingMs` allows, which is
 * called before each piece. Only time spent waiting for the source counts.
 */
export async function* withStallTimeout<T>(remainingMs: () => number, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withTimeout(remainingMs(), iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: it hangs where the source hangs.
    iterator.return?.().catch(() => {})
  }
}
