/** Comes before every name. */
export const LIST_START = ''

/** From behind one name up to and with another; null is the end of the list. */
interface NameRange {
  after: string
  through: string | null
}

/** Which stretches of an ordered list of names are as the server has them. */
export class LoadedRanges {
  private readonly compareNames: (a: string, b: string) => number
  /** None of them touches another one. */
  private ranges: readonly NameRange[] = []

  constructor(order: (a: string, b: string) => number) {
    // Most questions are about START, and the first order of names takes a slow phone 50 ms.
    this.compareNames = (a, b) => (a === LIST_START || b === LIST_START ? a.length - b.length : order(a, b))
  }

  get isComplete(): boolean {
    return this.firstGapFrom(LIST_START) === null
  }

  /** Behind which name, this one or a later one, something is not known; null when all is known to the end. */
  firstGapFrom(name: string): string | null {
    const around = this.ranges.find(
      ({ after, through }) => this.compareNames(after, name) <= 0 && this.isAtOrBefore(through, name),
    )
    return around ? around.through : name
  }

  /** From behind `after` up to and with `to`, all is known now. */
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

  /** Nothing is known any more. */
  clear(): void {
    this.ranges = []
  }

  private isAtOrBefore(to: string | null, name: string): boolean {
    return to === null || this.compareNames(name, to) <= 0
  }
}
