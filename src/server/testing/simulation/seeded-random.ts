/** A seeded pseudo-random generator: the same seed gives the same run. */
export class SeededRandom {
  readonly seed: number
  private state: number

  constructor(seed: number) {
    this.seed = seed
    this.state = seed >>> 0
  }

  /** From 0 to 1, exclusive. Source: mulberry32 by Tommy Ettinger, public domain. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  float(min: number, max: number): number {
    return min + this.next() * (max - min)
  }

  /** An integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number {
    return Math.floor(this.float(min, max + 1))
  }

  /** True with this probability, 0 to 1. */
  isLikely(probability: number): boolean {
    return this.next() < probability
  }

  /** A random item. Throws for an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from')
    return items[this.integer(0, items.length - 1)] as T // the index is in range
  }

  /** A generator for one component, so that its draws do not change the draws of others. */
  fork(): SeededRandom {
    return new SeededRandom(Math.floor(this.next() * 2 ** 32))
  }
}
