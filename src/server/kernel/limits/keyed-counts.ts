/** Counts what each key, such as an address, has open; at most `max` of each. */
export class KeyedCounts {
  private readonly counts = new Map<string, number>()
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  /** Counts one more. Returns the function that takes it back once, or null when the key is at its maximum. */
  open(key: string): (() => void) | null {
    const count = this.counts.get(key) ?? 0
    if (count >= this.max) return null
    this.counts.set(key, count + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.close(key)
      isOpen = false
    }
  }

  private close(key: string): void {
    const count = this.counts.get(key) ?? 0
    if (count > 1) this.counts.set(key, count - 1)
    else this.counts.delete(key)
  }
}
