import { isAtLeast, type Position, ZERO_POSITION } from '../../database/position.ts'

interface Waiter {
  target: Position
  resolve(isReached: boolean): void
}

/** Delays callers until this region's database has a position. */
export class PositionWaiter {
  private readonly readLocalPosition: () => Position
  /** The last position that was read. */
  private lastPosition: Position = ZERO_POSITION
  /** Limits reads to one a turn of the event loop: later transactions call `resolveReached`. */
  private hasReadThisTurn = false
  private readonly waiters = new Set<Waiter>()
  private timeouts = 0

  /** @param readLocalPosition takes a fraction of a millisecond */
  constructor(readLocalPosition: () => Position) {
    this.readLocalPosition = readLocalPosition
  }

  /** Resolves true once this region has the position, false after `timeoutMs`. */
  waitFor(target: Position, timeoutMs: number): Promise<boolean> {
    if (isAtLeast(this.lastPosition, target) || isAtLeast(this.readOncePerTurn(), target)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isReached: boolean) => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
        if (!isReached) this.timeouts++
        resolve(isReached)
      }
      const waiter = { target, resolve: finish }
      const timer = setTimeout(() => finish(isAtLeast(this.readLocalPosition(), target)), timeoutMs)
      this.waiters.add(waiter)
    })
  }

  /** Called after each transaction: resolves the waiters whose position is reached. */
  resolveReached(): void {
    if (this.waiters.size === 0) return
    this.lastPosition = this.readLocalPosition()
    for (const { target, resolve } of this.waiters) if (isAtLeast(this.lastPosition, target)) resolve(true)
  }

  /** Callers that wait now. */
  waitingCount(): number {
    return this.waiters.size
  }

  /** Waits that ended in a time-out, since the start. */
  timeoutCount(): number {
    return this.timeouts
  }

  private readOncePerTurn(): Position {
    if (this.hasReadThisTurn) return this.lastPosition
    this.hasReadThisTurn = true
    setImmediate(() => {
      this.hasReadThisTurn = false
    })
    this.lastPosition = this.readLocalPosition()
    return this.lastPosition
  }
}
