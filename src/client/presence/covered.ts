/** Comes before every name. */
export const START = ''

/** From behind one name up to and with another; null is the end of the list. */
interface Stretch {
  after: string
  to: string | null
}

/** Which stretches of an ordered list of names are as the server has them. */
export class Covered {
  private readonly order: (a: string, b: string) => number
  /** None of them touches another one. */
  private stretches: readonly Stretch[] = []

  constructor(order: (a: string, b: string) => number) {
    // Most questions are about START, and the first order of names takes a slow phone 50 ms.
    this.order = (a, b) => (a === START || b === START ? a.length - b.length : order(a, b))
  }

  get isWhole(): boolean {
    return this.gapFrom(START) === null
  }

  /** Behind which name, this one or a later one, something is not known; null when all is known to the end. */
  gapFrom(name: string): string | null {
    const around = this.stretches.find(({ after, to }) => this.order(after, name) <= 0 && this.reaches(to, name))
    return around ? around.to : name
  }

  /** From behind `after` up to and with `to`, all is known now. */
  add(after: string, to: string | null): void {
    const touches = (one: Stretch): boolean => this.reaches(to, one.after) && this.reaches(one.to, after)
    const all = [{ after, to }, ...this.stretches.filter(touches)]
    const joined = all.reduce((one, other) => ({
      after: this.order(one.after, other.after) <= 0 ? one.after : other.after,
      to: other.to !== null && this.reaches(one.to, other.to) ? one.to : other.to,
    }))
    this.stretches = [...this.stretches.filter((one) => !touches(one)), joined]
  }

  /** Nothing is known any more. */
  clear(): void {
    this.stretches = []
  }

  private reaches(to: string | null, name: string): boolean {
    return to === null || this.order(name, to) <= 0
  }
}
