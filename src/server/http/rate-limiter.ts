/** How many points a key has, and how long all of them take to come back, in milliseconds. */
export interface RateLimitOptions {
  points: number
  perMs: number
  /** More keys than this are not remembered: the oldest go first. */
  maxKeys?: number
}

export interface RateLimiter {
  /** Takes a point: 0, or how many milliseconds to wait until there is one. A refused try costs nothing. */
  consume(key: string, now: number): number
  /** Gives a point back: what it was taken for turned out well. */
  refund(key: string, now: number): void
}

const MAX_KEYS = 100_000

/**
 * A token bucket for each key, kept as the moment when it is full again (the generic cell rate algorithm, ITU-T
 * I.371): one number a key, no timers. Memory is bounded.
 */
export function createRateLimiter({ points, perMs, maxKeys = MAX_KEYS }: RateLimitOptions): RateLimiter {
  const fullAt = new Map<string, number>()
  const pointMs = perMs / points

  /** A key that is full again is like one that never came; whatever is beyond the bound is forgotten too. */
  const makeRoom = (now: number) => {
    for (const [key, at] of fullAt) {
      if (at > now && fullAt.size < maxKeys) return
      fullAt.delete(key)
    }
  }
  return {
    consume(key, now) {
      // Where the clock was set back, nobody waits longer than somebody who has just taken all.
      const known = Math.min(fullAt.get(key) ?? 0, now + perMs)
      const at = Math.max(known, now) + pointMs
      // Half a point of tolerance: sums of fractions are never exact.
      if (at - now > perMs + pointMs / 2) {
        fullAt.set(key, known)
        return Math.ceil(at - now - perMs)
      }
      // Set anew, so that the map's order is by last use.
      fullAt.delete(key)
      makeRoom(now)
      fullAt.set(key, at)
      return 0
    },
    refund(key, now) {
      const at = fullAt.get(key)
      if (at === undefined) return
      if (at - pointMs > now) fullAt.set(key, at - pointMs)
      else fullAt.delete(key)
    },
  }
}
