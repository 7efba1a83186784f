import { describe, expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

const RATE = { points: 4, perMs: 1_000 }

describe('a token bucket', () => {
  it('starts full and refills evenly', () => {
    const bucket = new TokenBucket(RATE)
    for (let taken = 0; taken < 4; taken++) expect(bucket.consume(5_000)).toBe(0)
    expect(bucket.consume(5_000)).toBe(250)
    expect(bucket.consume(5_250)).toBe(0)
    expect(bucket.consume(5_250)).toBe(250)
  })

  it('takes no point for a refused try, and a refund allows one more', () => {
    const bucket = new TokenBucket(RATE)
    for (let taken = 0; taken < 4; taken++) bucket.consume(0)
    for (let tries = 0; tries < 100; tries++) expect(bucket.consume(0)).toBe(250)
    bucket.refund()
    expect(bucket.consume(0)).toBe(0)
    expect(bucket.consume(0)).toBe(250)
  })

  it('never holds more than its points, after refunds or a long pause', () => {
    const bucket = new TokenBucket(RATE)
    for (let times = 0; times < 10; times++) bucket.refund()
    for (let taken = 0; taken < 4; taken++) expect(bucket.consume(3_600_000)).toBe(0)
    expect(bucket.consume(3_600_000)).toBe(250)
  })

  it('goes into debt when overdrawn, and returns the time to recover', () => {
    const bucket = new TokenBucket(RATE)
    expect(bucket.overdraw(4, 0)).toBe(0)
    expect(bucket.overdraw(8, 0)).toBe(2_000)
    expect(bucket.overdraw(1, 2_000)).toBe(250)
  })

  it('reports when it is half full', () => {
    const bucket = new TokenBucket(RATE)
    expect(bucket.isHalfFull(0)).toBe(true)
    for (let taken = 0; taken < 4; taken++) bucket.consume(0)
    expect(bucket.isHalfFull(499)).toBe(false)
    expect(bucket.isHalfFull(501)).toBe(true)
  })
})
