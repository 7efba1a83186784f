import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LinkRateLimit } from './link-server.ts'

const MEBIBYTE = 1024 * 1024

describe('the rate limit of a link', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('[REG-15] allows a burst of 8 MiB and then pauses at 8 MiB a second', () => {
    const rateLimit = new LinkRateLimit()
    for (let times = 0; times < 8; times++) expect(rateLimit.consume(MEBIBYTE)).toBe(0)
    expect(rateLimit.consume(MEBIBYTE)).toBe(125)
    expect(rateLimit.consume(MEBIBYTE)).toBe(250)
    vi.advanceTimersByTime(250)
    expect(rateLimit.consume(MEBIBYTE)).toBe(125)
  })

  it('[REG-15] allows no larger burst after an hour of silence', () => {
    const rateLimit = new LinkRateLimit()
    vi.advanceTimersByTime(3_600_000)
    expect(rateLimit.consume(9 * MEBIBYTE)).toBe(125)
  })

  it('[REG-15] counts a short frame as 512 bytes', () => {
    const rateLimit = new LinkRateLimit()
    for (let frames = 0; frames < 16_384; frames++) rateLimit.consume(20)
    vi.advanceTimersByTime(500)
    for (let frames = 0; frames < 8_192; frames++) rateLimit.consume(20)
    expect(rateLimit.consume(MEBIBYTE)).toBe(125)
  })
})
