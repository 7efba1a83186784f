/** What one region may send for long and at once, in bytes: many times what a busy site needs. */
const BYTES_PER_SECOND = 8 * 1024 * 1024
const BURST_BYTES = 8 * 1024 * 1024
/** What a frame counts for at least: a short one costs as much to open as one of so many bytes. */
const LEAST_BYTES = 512

/** How fast one region may send: a token bucket that may be overdrawn, by those who then have to wait. */
export class LinkAllowance {
  private bytes = BURST_BYTES
  private filledAt = performance.now()

  /** Takes a frame of so many bytes. Answers for how many milliseconds nothing more should be read, mostly 0. */
  take(bytes: number): number {
    const now = performance.now()
    this.bytes = Math.min(BURST_BYTES, this.bytes + ((now - this.filledAt) / 1000) * BYTES_PER_SECOND)
    this.filledAt = now
    this.bytes -= Math.max(bytes, LEAST_BYTES)
    return this.bytes >= 0 ? 0 : Math.ceil((-this.bytes / BYTES_PER_SECOND) * 1000)
  }
}
