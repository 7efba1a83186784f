import { LRUCache } from 'lru-cache'
import { atMostEntries } from './at-most-entries.ts'
import { type BucketRate, TokenBucket } from './token-bucket.ts'

export interface RateLimitOptions extends BucketRate {
  /** Buckets kept; beyond this the least recently used are dropped. */
  maxKeys?: number
}

export interface RateLimiter {
  /** Takes a point or more. Returns 0, or the milliseconds until there are enough; a refused try costs nothing. */
  consume(key: string, now: number, points?: number): number
  /** Takes points even if there are too few; 0 points change nothing. Returns the milliseconds until the debt is paid, usually 0. */
  overdraw(key: string, now: number, points: number): number
  /** Gives points back, for instance after a successful sign-in. */
  refund(key: string, points?: number): void
}

const MAX_KEYS = 100_000

/** A token bucket per key, such as a user id or an address. An unknown key has a full bucket. */
export function createRateLimiter({ points, perMs, maxKeys = MAX_KEYS }: RateLimitOptions): RateLimiter {
  const rate: BucketRate = { points, perMs }
  const buckets = new LRUCache<string, TokenBucket>(atMostEntries(maxKeys))
  return {
    consume(key, now, points) {
      const bucket = buckets.peek(key) ?? new TokenBucket(rate)
      const waitMs = bucket.consume(now, points)
      // A refused try does not count as use of the key.
      if (waitMs === 0) buckets.set(key, bucket)
      return waitMs
    },
    overdraw(key, now, points) {
      const bucket = buckets.peek(key) ?? new TokenBucket(rate)
      if (points > 0) buckets.set(key, bucket)
      return bucket.overdraw(points, now)
    },
    refund(key, points) {
      buckets.peek(key)?.refund(points)
    },
  }
}
