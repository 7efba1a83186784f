import { TokenBucket } from '../../limits/token-bucket.ts'

/** What one region may send, in bytes: 8 MiB at once, then 8 MiB a second, many times what a busy site needs. */
const LINK_RATE = { points: 8 * 1024 * 1024, perMs: 1_000 }
/** Minimum cost of a frame: a short one takes as much work as one of this size. */
const MIN_FRAME_COST_BYTES = 512

/** Limits the bytes of one region. An arrived frame is always read; the next ones wait. */
export class LinkRateLimit {
  private readonly bucket = new TokenBucket(LINK_RATE)

  /** Counts a frame. Answers for how many milliseconds to pause reading, 0 within the limit. */
  consume(bytes: number): number {
    return this.bucket.overdraw(Math.max(bytes, MIN_FRAME_COST_BYTES), performance.now())
  }
}
