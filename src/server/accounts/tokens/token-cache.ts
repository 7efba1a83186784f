const MAX_ENTRIES = 20_000

/** What was worked out lately, so that it is not worked out again; the oldest is forgotten first. */
export class TokenCache<V> {
  private readonly values = new Map<string, V>()

  get(key: string): V | undefined {
    return this.values.get(key)
  }

  set(key: string, value: V): V {
    this.values.delete(key)
    this.values.set(key, value)
    const [oldest] = this.values.size > MAX_ENTRIES ? this.values.keys() : []
    if (oldest !== undefined) this.values.delete(oldest)
    return value
  }
}
