import { isAtLeast, type Position, ZERO_POSITION } from './position.ts'

interface Waiter {
  target: Position
  resolve(isThere: boolean): void
}

/** Holds whoever waits until this region's database has come so far. */
export class PositionWaiter {
  private readonly readLocalPosition: () => Position
  /** As far as it was seen to have come. */
  private lastPosition: Position = ZERO_POSITION
  /** Looked in this turn of the event loop: what arrives later has a transaction of its own to tell of it. */
  private hasReadThisTurn = false
  private readonly waiters = new Set<Waiter>()
  private timeouts = 0

  /** @param local reads this region's position; takes a fraction of a millisecond */
  constructor(local: () => Position) {
    this.readLocalPosition = local
  }

  /** Resolves true as soon as this region has come so far, false when it has not after `deadlineMs`. */
  waitFor(target: Position, deadlineMs: number): Promise<boolean> {
    if (isAtLeast(this.lastPosition, target) || isAtLeast(this.readOncePerTurn(), target)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isThere: boolean) => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
        if (!isThere) this.timeouts++
        resolve(isThere)
      }
      const waiter = { target, resolve: finish }
      const timer = setTimeout(() => finish(isAtLeast(this.readLocalPosition(), target)), deadlineMs)
      this.waiters.add(waiter)
    })
  }

  /** Something arrived: lets go whoever waited for it. */
  resolveReached(): void {
    if (this.waiters.size === 0) return
    this.lastPosition = this.readLocalPosition()
    for (const { target, resolve } of this.waiters) if (isAtLeast(this.lastPosition, target)) resolve(true)
  }

  /** How many are held now. */
  waitingCount(): number {
    return this.waiters.size
  }

  /** How many were let go too early, because their deadline came first. */
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
