import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LinkRateLimit } from './link-rate-limit.ts'

const MEBIBYTE = 1024 * 1024

describe('what a region may send', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('[REG-15] is 8 MiB at once, and then waits for as long as 8 MiB a second take', () => {
    const allowance = new LinkRateLimit()
    for (let times = 0; times < 8; times++) expect(allowance.consume(MEBIBYTE)).toBe(0)
    expect(allowance.consume(MEBIBYTE)).toBe(125)
    expect(allowance.consume(MEBIBYTE)).toBe(250)
    vi.advanceTimersByTime(250)
    expect(allowance.consume(MEBIBYTE)).toBe(125)
  })

  it('[REG-15] is no more after an hour of silence', () => {
    const allowance = new LinkRateLimit()
    vi.advanceTimersByTime(3_600_000)
    expect(allowance.consume(9 * MEBIBYTE)).toBe(125)
  })

  it('[REG-15] counts short frames as 512 bytes, since each is work', () => {
    const allowance = new LinkRateLimit()
    for (let frames = 0; frames < 16_384; frames++) allowance.consume(20)
    vi.advanceTimersByTime(500)
    for (let frames = 0; frames < 8_192; frames++) allowance.consume(20)
    expect(allowance.consume(MEBIBYTE)).toBe(125)
  })
})
