/** A source delivered nothing within its time limit. */
export class StallError extends Error {}

/** Rejects with a StallError when `awaited` takes longer than `ms`; does not cancel it. */
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
 * Yields the chunks of `source`; throws a StallError when the next one takes longer than `remainingMs()`, which is called
 * before each chunk. Only time spent waiting for the source counts.
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
    // Not awaited, because it hangs when the source hangs.
    iterator.return?.().catch(() => {})
  }
}
