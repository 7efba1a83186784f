/** Does work at once when idle, and at most once in every window under load, so that what comes close together is done together. */
export class Gather {
  private readonly windowMs: number
  private readonly work: () => void
  private timer: NodeJS.Timeout | NodeJS.Immediate | null = null
  private lastAt = 0

  constructor(windowMs: number, work: () => void) {
    this.windowMs = windowMs
    this.work = work
  }

  /** There is something to do: it is done in this turn of the event loop, or when the window is over. */
  schedule(): void {
    if (this.timer) return
    const wait = this.lastAt + this.windowMs - performance.now()
    this.timer = wait > 0 ? setTimeout(() => this.run(), wait) : setImmediate(() => this.run())
  }

  private run(): void {
    this.timer = null
    this.lastAt = performance.now()
    this.work()
  }
}
