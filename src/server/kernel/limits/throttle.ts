/** Runs work at once when idle, and at most once per window under load, so that requests close together share a run. */
export class CoalescingThrottle {
  private readonly windowMs: () => number
  private readonly work: () => void
  private timer: NodeJS.Timeout | null = null
  private isDue = false
  private lastAt = Number.NEGATIVE_INFINITY

  /** @param windowMs the window, or a function that returns it for the current load */
  constructor(windowMs: number | (() => number), work: () => void) {
    this.windowMs = typeof windowMs === 'number' ? () => windowMs : windowMs
    this.work = work
  }

  /** Requests a run: at the end of the window, or with `isUrgent` within this turn of the event loop. */
  schedule(isUrgent = false): void {
    if (this.isDue || (this.timer && !isUrgent)) return
    const wait = isUrgent ? 0 : this.lastAt + this.windowMs() - performance.now()
    if (wait > 0) this.timer = setTimeout(() => this.run(), wait)
    else {
      if (this.timer) clearTimeout(this.timer)
      this.isDue = true
      setImmediate(() => this.run())
    }
  }

  private run(): void {
    this.timer = null
    this.isDue = false
    this.lastAt = performance.now()
    this.work()
  }
}
