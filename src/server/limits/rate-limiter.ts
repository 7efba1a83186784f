import { LRUCache } from 'lru-cache'
import { type BucketRate, TokenBucket } from './token-bucket.ts'

export interface RateLimitOptions extends BucketRate {
  /** More keys than this are not remembered: the least recently used go first. */
  maxKeys?: number
}

export interface RateLimiter {
  /** Takes a point: 0, or how many milliseconds to wait until there is one. A refused try costs nothing. */
  consume(key: string, now: number): number
  /** Gives a point back: what it was taken for turned out well. */
  refund(key: string): void
}

const MAX_KEYS = 100_000

/** A token bucket for each key, such as a user's id or an address. A key that is not remembered has a full bucket. */
export function createRateLimiter({ points, perMs, maxKeys = MAX_KEYS }: RateLimitOptions): RateLimiter {
  const rate: BucketRate = { points, perMs }
  // Bounded by size and not by `max`, which allocates 2.8 MB for 100,000 keys before the first one comes.
  const buckets = new LRUCache<string, TokenBucket>({ maxSize: maxKeys, sizeCalculation: () => 1 })
  return {
    consume(key, now) {
      const bucket = buckets.peek(key) ?? new TokenBucket(rate)
      const waitMs = bucket.consume(now)
      // A refused try does not make the key a recent one.
      if (waitMs === 0) buckets.set(key, bucket)
      return waitMs
    },
    refund(key) {
      buckets.peek(key)?.refund()
    },
  }
}
