import { describe, expect, it } from 'vitest'
import { ReceiveLimit } from './receive-limit.ts'

const KIB = 1024

/** How often `act` is within the limit before it is not. */
function countAllowed(act: () => boolean): number {
  let count = 0
  while (act()) count++
  return count
}

describe('what a connection may send', () => {
  it('[LIVE-39] is 1 MiB at once and then 128 KiB a second, a chunk and a message with 512 bytes more', () => {
    const limit = new ReceiveLimit(1, () => true)
    expect(countAllowed(() => limit.consumeChunk(64 * KIB - 512, false, 0))).toBe(16)
    expect(countAllowed(() => limit.consumeChunk(512, false, 1_000))).toBe(128)
    expect(countAllowed(() => limit.consumeMessage(false, 2_000))).toBe(256)
    expect(countAllowed(() => limit.consumeChunk(1, false, 3_000))).toBe(255)
  })

  it('[LIVE-39] leaves room for a burst of 100 commands and for the largest frame in small packets', () => {
    const limit = new ReceiveLimit(1, () => true)
    for (let command = 0; command < 100; command++) {
      expect(limit.consumeChunk(200, false, 0) && limit.consumeMessage(false, 0)).toBe(true)
    }
    for (let packet = 0; packet < 64; packet++) expect(limit.consumeChunk(KIB, false, 0)).toBe(true)
  })

  it('[LIVE-40] is 60 pings and pongs at once and then 2 a second', () => {
    const limit = new ReceiveLimit(1, () => true)
    expect(countAllowed(() => limit.consumeControlFrame(0))).toBe(60)
    expect(countAllowed(() => limit.consumeControlFrame(1_000))).toBe(2)
    for (let now = 5_000; now < 600_000; now += 5_000) expect(limit.consumeControlFrame(now)).toBe(true)
  })

  it('[LIVE-41] is 128 KiB before hello is answered, for however long that takes', () => {
    const limit = new ReceiveLimit(1, () => true)
    expect(countAllowed(() => limit.consumeChunk(512, true, 0))).toBe(128)
    expect(limit.consumeMessage(true, 60_000)).toBe(false)
  })

  it('[LIVE-39] [LIVE-40] [LIVE-41] is more where the setting multiplies it', () => {
    const limit = new ReceiveLimit(3, () => true)
    expect(countAllowed(() => limit.consumeControlFrame(0))).toBe(180)
    expect(countAllowed(() => limit.consumeChunk(512, true, 0))).toBe(3 * 128)
    expect(countAllowed(() => limit.consumeChunk(KIB - 512, false, 60_000))).toBe(3 * KIB)
  })
})
