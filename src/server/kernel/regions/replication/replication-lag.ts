import { isAtLeast, type Position, ZERO_POSITION } from '../../database/position.ts'

/** Ten seconds of positions at ten a second. */
const MAX_SAMPLES = 100

interface PositionSample {
  position: Position
  receivedAt: number
}

/** Measures how far this region lags behind the positions that the primary reported. */
export class ReplicationLag {
  private readonly now: () => number
  /** Reported positions that this region does not have yet, oldest first. */
  private missingPositions: PositionSample[] = []
  private localPosition: Position = ZERO_POSITION

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** The primary reported this position. */
  recordPrimaryPosition(position: Position): void {
    // Positions beyond the primary's were lost with a former primary, and never arrive.
    this.missingPositions = this.missingPositions.filter((earlier) => isAtLeast(position, earlier.position))
    const last = this.missingPositions.at(-1)?.position ?? this.localPosition
    if (isAtLeast(last, position)) return
    this.missingPositions.push({ position, receivedAt: this.now() })
    // Every second sample goes; the oldest, which gives the lag, stays.
    if (this.missingPositions.length > MAX_SAMPLES)
      this.missingPositions = this.missingPositions.filter((_, i) => i % 2 === 0)
  }

  /** This region has this position. */
  recordLocalPosition(localPosition: Position): void {
    this.localPosition = localPosition
    this.missingPositions = this.missingPositions.filter(({ position }) => !isAtLeast(localPosition, position))
  }

  /** This region is the primary from now on, and has no lag. */
  reset(): void {
    this.missingPositions = []
  }

  /** Milliseconds since the primary reported the oldest missing position; 0 when none is missing. */
  lagMs(): number {
    const oldest = this.missingPositions[0]
    return oldest ? this.now() - oldest.receivedAt : 0
  }
}
