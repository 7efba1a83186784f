/** Sorts before every name. */
export const LIST_START = ''

/** The names after `after` up to and including `through`; null: to the end of the list. */
interface NameRange {
  after: string
  through: string | null
}

/** The loaded ranges of an ordered list of names. */
export class LoadedRanges {
  private readonly compareNames: (a: string, b: string) => number
  /** Disjoint and not adjacent. */
  private ranges: readonly NameRange[] = []

  constructor(order: (a: string, b: string) => number) {
    // The first locale comparison takes 50 ms on a slow phone, and most calls are with LIST_START.
    this.compareNames = (a, b) => (a === LIST_START || b === LIST_START ? a.length - b.length : order(a, b))
  }

  get isComplete(): boolean {
    return this.firstGapFrom(LIST_START) === null
  }

  /** The first name, `name` or a later one, after which rows are missing; null when all are loaded to the end. */
  firstGapFrom(name: string): string | null {
    const around = this.ranges.find(
      ({ after, through }) => this.compareNames(after, name) <= 0 && this.isAtOrBefore(through, name),
    )
    return around ? around.through : name
  }

  /** Marks the names after `after` up to and including `to` as loaded; null: to the end. */
  add(after: string, to: string | null): void {
    const touches = (one: NameRange): boolean =>
      this.isAtOrBefore(to, one.after) && this.isAtOrBefore(one.through, after)
    const all = [{ after, through: to }, ...this.ranges.filter(touches)]
    const joined = all.reduce((one, other) => ({
      after: this.compareNames(one.after, other.after) <= 0 ? one.after : other.after,
      through: other.through !== null && this.isAtOrBefore(one.through, other.through) ? one.through : other.through,
    }))
    this.ranges = [...this.ranges.filter((one) => !touches(one)), joined]
  }

  /** Forgets all ranges. */
  clear(): void {
    this.ranges = []
  }

  private isAtOrBefore(to: string | null, name: string): boolean {
    return to === null || this.compareNames(name, to) <= 0
  }
}
