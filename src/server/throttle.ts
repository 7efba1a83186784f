/** Does work at once when idle, and at most once in every window under load, so that what comes close together is done together. */
export class CoalescingThrottle {
  private readonly windowMs: () => number
  private readonly work: () => void
  private timer: NodeJS.Timeout | null = null
  private isDue = false
  private lastAt = 0

  /** @param windowMs a function where the window is as wide as the load asks for */
  constructor(windowMs: number | (() => number), work: () => void) {
    this.windowMs = typeof windowMs === 'number' ? () => windowMs : windowMs
    this.work = work
  }

  /** There is something to do: it is done in this turn of the event loop where that is enough, or when the window is over. */
  schedule(isEnough = false): void {
    if (this.isDue || (this.timer && !isEnough)) return
    const wait = isEnough ? 0 : this.lastAt + this.windowMs() - performance.now()
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
