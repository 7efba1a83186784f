import { TokenBucket } from '../../limits/token-bucket.ts'

/** What one region may send, in bytes: 8 MiB at once, then 8 MiB a second, many times what a busy site needs. */
const LINK_RATE = { points: 8 * 1024 * 1024, perMs: 1_000 }
/** A shorter frame counts as this many bytes: opening it costs as much. */
const MIN_FRAME_COST_BYTES = 512

/** How fast one region may send. A frame that has come is always read; the next ones wait. */
export class LinkRateLimit {
  private readonly bucket = new TokenBucket(LINK_RATE)

  /** Takes a frame of so many bytes. Answers for how many milliseconds nothing more should be read, mostly 0. */
  consume(bytes: number): number {
    return this.bucket.overdraw(Math.max(bytes, MIN_FRAME_COST_BYTES), performance.now())
  }
}
