import { isAtLeast, type Position, ZERO_POSITION } from './position.ts'

/** What is told about ten times a second fills this in ten seconds. */
const MAX_SAMPLES = 100

interface PositionSample {
  position: Position
  receivedAt: number
}

/** How old what this region shows is, by what it has heard of the primary. */
export class ReplicationLag {
  private readonly now: () => number
  /** What has not arrived here yet, oldest first. */
  private missingPositions: PositionSample[] = []
  private localPosition: Position = ZERO_POSITION

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** The primary has come so far. */
  recordPrimaryPosition(position: Position): void {
    // What the primary itself does not have was lost with another one, and never arrives.
    this.missingPositions = this.missingPositions.filter((earlier) => isAtLeast(position, earlier.position))
    const last = this.missingPositions.at(-1)?.position ?? this.localPosition
    if (isAtLeast(last, position)) return
    this.missingPositions.push({ position, receivedAt: this.now() })
    // Thinned out where it has the least to say: the oldest is how late we are, the newest is how far we have to go.
    if (this.missingPositions.length > MAX_SAMPLES)
      this.missingPositions = this.missingPositions.filter((_, i) => i % 2 === 0)
  }

  /** This region has come so far. */
  recordLocalPosition(local: Position): void {
    this.localPosition = local
    this.missingPositions = this.missingPositions.filter(({ position }) => !isAtLeast(local, position))
  }

  /** This region is the primary from now on: there is nothing to be behind of. */
  reset(): void {
    this.missingPositions = []
  }

  /** Milliseconds since the primary is known to have had what this region still has not; 0 when nothing is missing. */
  lagMs(): number {
    const oldest = this.missingPositions[0]
    return oldest ? this.now() - oldest.receivedAt : 0
  }
}
