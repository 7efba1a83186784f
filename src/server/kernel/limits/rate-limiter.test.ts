import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const MINUTE_MS = 60_000

describe('a rate limiter', () => {
  it.each([1, 5, 7, 30, 60, 3000])('allows %d at once and returns the wait for one more', (points) => {
    const limiter = createRateLimiter({ points, perMs: MINUTE_MS })
    const now = 1_700_000_000_000
    for (let i = 0; i < points; i++) expect(limiter.consume('a', now)).toBe(0)
    const waitMs = limiter.consume('a', now)
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(Math.ceil(MINUTE_MS / points) + 1)
    expect(limiter.consume('a', now + waitMs)).toBe(0)
    expect(limiter.consume('b', now)).toBe(0)
  })

  it('allows one more after a refund', () => {
    const limiter = createRateLimiter({ points: 1, perMs: MINUTE_MS })
    limiter.refund('never seen')
    expect(limiter.consume('a', 0)).toBe(0)
    limiter.refund('a')
    expect(limiter.consume('a', 0)).toBe(0)
    expect(limiter.consume('a', 0)).toBe(MINUTE_MS)
  })

  it('[REG-38] does not lengthen the wait when the clock is set back', () => {
    const limiter = createRateLimiter({ points: 2, perMs: MINUTE_MS })
    limiter.consume('a', 60 * MINUTE_MS)
    expect(limiter.consume('a', 0)).toBe(MINUTE_MS / 2)
    expect(limiter.consume('a', MINUTE_MS / 2)).toBe(0)
  })

  it('never allows more than its points plus those refilled since', () => {
    const seed = 20_261_120
    const attempts = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), waitMs: fc.nat(30_000) }), { maxLength: 200 })
    fc.assert(
      fc.property(attempts, (steps) => {
        const limiter = createRateLimiter({ points: 5, perMs: MINUTE_MS })
        const taken: Record<string, number> = { a: 0, b: 0 }
        let now = 1_700_000_000_000
        const start = now
        for (const { key, waitMs } of steps) {
          now += waitMs
          if (limiter.consume(key, now) === 0) taken[key] = (taken[key] ?? 0) + 1
          expect(taken[key]).toBeLessThanOrEqual(5.5 + (5 * (now - start)) / MINUTE_MS)
        }
      }),
      { seed },
    )
  })

  it('keeps at most maxKeys buckets and drops the least recently used', () => {
    const limiter = createRateLimiter({ points: 1, perMs: MINUTE_MS, maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) limiter.consume(key, 0)
    expect(limiter.consume('d', 0)).toBeGreaterThan(0)
    expect(limiter.consume('b', 0)).toBeGreaterThan(0)
    expect(limiter.consume('a', 0)).toBe(0)
  })

  it('does not keep a key for its refused tries', () => {
    const limiter = createRateLimiter({ points: 1, perMs: MINUTE_MS, maxKeys: 2 })
    for (const key of ['a', 'b', 'a', 'c']) limiter.consume(key, 0)
    expect(limiter.consume('b', 0)).toBeGreaterThan(0)
    expect(limiter.consume('a', 0)).toBe(0)
  })

  it('overdraws a key into debt, which a look does not change', () => {
    const limiter = createRateLimiter({ points: 2, perMs: 2_000 })
    expect(limiter.overdraw('a', 0, 5)).toBe(3_000)
    expect(limiter.overdraw('a', 1_000, 0)).toBe(2_000)
    expect(limiter.overdraw('b', 1_000, 0)).toBe(0)
    expect(limiter.overdraw('a', 3_000, 0)).toBe(0)
    expect(limiter.overdraw('a', 3_000, 1)).toBe(1_000)
  })
})
