import { BEGINNING, hasReached, type Position } from './position.ts'

/** What is told about ten times a second fills this in ten seconds. */
const REMEMBERED = 100

interface Heard {
  position: Position
  at: number
}

/** How old what this region shows is, by what it has heard of the primary. */
export class Freshness {
  private readonly now: () => number
  /** What has not arrived here yet, oldest first. */
  private missing: Heard[] = []
  private local: Position = BEGINNING

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** The primary has come so far. */
  heard(position: Position): void {
    // What the primary itself does not have was lost with another one, and never arrives.
    this.missing = this.missing.filter((earlier) => hasReached(position, earlier.position))
    const last = this.missing.at(-1)?.position ?? this.local
    if (hasReached(last, position)) return
    this.missing.push({ position, at: this.now() })
    // Thinned out where it has the least to say: the oldest is how late we are, the newest is how far we have to go.
    if (this.missing.length > REMEMBERED) this.missing = this.missing.filter((_, i) => i % 2 === 0)
  }

  /** This region has come so far. */
  arrived(local: Position): void {
    this.local = local
    this.missing = this.missing.filter(({ position }) => !hasReached(local, position))
  }

  /** This region is the primary from now on: there is nothing to be behind of. */
  leads(): void {
    this.missing = []
  }

  /** Milliseconds since the primary is known to have had what this region still has not; 0 when nothing is missing. */
  lagMs(): number {
    const oldest = this.missing[0]
    return oldest ? this.now() - oldest.at : 0
  }
}
