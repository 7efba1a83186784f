import { BEGINNING, hasReached, type Position } from './position.ts'

interface Waiter {
  wanted: Position
  settle(isThere: boolean): void
}

/** Holds whoever waits until this region's database has come so far. */
export class CaughtUp {
  private readonly local: () => Position
  /** As far as it was seen to have come. */
  private seen: Position = BEGINNING
  /** Looked in this turn of the event loop: what arrives later has a transaction of its own to tell of it. */
  private hasLooked = false
  private readonly waiters = new Set<Waiter>()
  private lateCount = 0

  /** @param local reads this region's position; takes a fraction of a millisecond */
  constructor(local: () => Position) {
    this.local = local
  }

  /** Resolves true as soon as this region has come so far, false when it has not after `deadlineMs`. */
  reached(wanted: Position, deadlineMs: number): Promise<boolean> {
    if (hasReached(this.seen, wanted) || hasReached(this.look(), wanted)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
        if (!isThere) this.lateCount++
        resolve(isThere)
      }
      const waiter = { wanted, settle }
      const timer = setTimeout(() => settle(hasReached(this.local(), wanted)), deadlineMs)
      this.waiters.add(waiter)
    })
  }

  /** Something arrived: lets go whoever waited for it. */
  check(): void {
    if (this.waiters.size === 0) return
    this.seen = this.local()
    for (const { wanted, settle } of this.waiters) if (hasReached(this.seen, wanted)) settle(true)
  }

  /** How many are held now. */
  held(): number {
    return this.waiters.size
  }

  /** How many were let go too early, because their deadline came first. */
  late(): number {
    return this.lateCount
  }

  private look(): Position {
    if (this.hasLooked) return this.seen
    this.hasLooked = true
    setImmediate(() => {
      this.hasLooked = false
    })
    this.seen = this.local()
    return this.seen
  }
}
