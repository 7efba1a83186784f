import { describe, expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

const RATE = { points: 4, perMs: 1_000 }

describe('a token bucket', () => {
  it('is full at first and fills evenly', () => {
    const bucket = new TokenBucket(RATE)
    for (let taken = 0; taken < 4; taken++) expect(bucket.consume(5_000)).toBe(0)
    expect(bucket.consume(5_000)).toBe(250)
    expect(bucket.consume(5_250)).toBe(0)
    expect(bucket.consume(5_250)).toBe(250)
  })

  it('takes nothing for a refused try, and a refund makes room for one more', () => {
    const bucket = new TokenBucket(RATE)
    for (let taken = 0; taken < 4; taken++) bucket.consume(0)
    for (let tries = 0; tries < 100; tries++) expect(bucket.consume(0)).toBe(250)
    bucket.refund()
    expect(bucket.consume(0)).toBe(0)
    expect(bucket.consume(0)).toBe(250)
  })

  it('holds no more than its points, however many are refunded or however long it rests', () => {
    const bucket = new TokenBucket(RATE)
    for (let times = 0; times < 10; times++) bucket.refund()
    for (let taken = 0; taken < 4; taken++) expect(bucket.consume(3_600_000)).toBe(0)
    expect(bucket.consume(3_600_000)).toBe(250)
  })

  it('goes into debt when it is overdrawn, and says how long that takes to make up', () => {
    const bucket = new TokenBucket(RATE)
    expect(bucket.overdraw(4, 0)).toBe(0)
    expect(bucket.overdraw(8, 0)).toBe(2_000)
    expect(bucket.overdraw(1, 2_000)).toBe(250)
  })

  it('says when half of its points are there', () => {
    const bucket = new TokenBucket(RATE)
    expect(bucket.isHalfFull(0)).toBe(true)
    for (let taken = 0; taken < 4; taken++) bucket.consume(0)
    expect(bucket.isHalfFull(499)).toBe(false)
    expect(bucket.isHalfFull(501)).toBe(true)
  })
})
