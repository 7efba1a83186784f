/** Random numbers that follow from a seed: the same seed, the same run. */
export class SeededRandom {
  readonly seed: number
  private state: number

  constructor(seed: number) {
    this.seed = seed
    this.state = seed >>> 0
  }

  /** 0 up to 1. Source: mulberry32 by Tommy Ettinger, public domain. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  float(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A whole number, both ends included. */
  integer(least: number, most: number): number {
    return Math.floor(this.float(least, most + 1))
  }

  /** True this often, 0 to 1. */
  isLikely(share: number): boolean {
    return this.next() < share
  }

  /** One of them. Throws when there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from')
    return items[this.integer(0, items.length - 1)] as T // the index lies inside
  }

  /** Numbers of their own for one part, so that what it draws does not shift what others draw. */
  fork(): SeededRandom {
    return new SeededRandom(Math.floor(this.next() * 2 ** 32))
  }
}
