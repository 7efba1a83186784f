/** A function that calls `read` at most once in each turn of the event loop and returns its result for the rest of it. */
export function memoizePerTick<T>(read: () => T): () => T {
  let current: { value: T } | null = null
  const forget = () => {
    current = null
  }
  return () => {
    if (!current) {
      current = { value: read() }
      setImmediate(forget)
    }
    return current.value
  }
}
