import { describe, expect, it } from 'vitest'
import { BodyBuffers } from './body-buffers.ts'

const KB = 1024
const MB = 1024 * KB

/** Seconds until a body that brings `bytesOf` each second is too slow; 600 if it never is. */
function secondsUntilTooSlow(bytesOf: (second: number) => number): number {
  const bodies = new BodyBuffers(1_000 * MB)
  const body = bodies.open(0, 'a')
  for (let second = 1; second < 600; second++) {
    if (second * 1000 > body.deadlineMs) return second
    const size = bytesOf(second)
    if (size > 0) bodies.append(body, new Uint8Array(size), second * 1000)
  }
  return 600
}

describe('the deadline of a body', () => {
  it('[FILE-19] is never reached at the rate of a slow phone, also with short pauses', () => {
    expect(secondsUntilTooSlow(() => 32 * KB)).toBe(600)
    expect(secondsUntilTooSlow(() => 8 * KB)).toBe(600)
    // A pause of 9 seconds in each 30.
    expect(secondsUntilTooSlow((second) => (second % 30 < 9 ? 0 : 32 * KB))).toBe(600)
  })

  it('[FILE-19] is reached below the minimum rate, and in a long pause after a large chunk', () => {
    expect(secondsUntilTooSlow(() => 0)).toBe(11)
    expect(secondsUntilTooSlow(() => 1)).toBe(11)
    expect(secondsUntilTooSlow(() => 4 * KB)).toBe(20)
    expect(secondsUntilTooSlow((second) => (second === 1 ? 19 * MB : 1))).toBe(12)
  })
})

describe('the memory of bodies', () => {
  it('[FILE-19] [HTTP-19] is bounded: the slowest incomplete body makes room for a new one, however large others are', () => {
    const bodies = new BodyBuffers(100 * KB)
    const [slow, fast, whole] = [bodies.open(0, 'a'), bodies.open(9_000, 'b'), bodies.open(0, 'c')]
    bodies.append(whole, new Uint8Array(50 * KB), 0)
    bodies.complete(whole)
    bodies.append(slow, new Uint8Array(20 * KB), 5_000)
    bodies.append(fast, new Uint8Array(24 * KB), 10_000)
    const late = bodies.open(10_500, 'd')
    bodies.append(late, new Uint8Array(10 * KB), 10_500)
    const evicted = () => [slow, fast, whole, late].map(({ isEvicted }) => isEvicted)
    expect(evicted()).toEqual([true, false, false, false])
    // Chunks that arrive after its eviction are dropped.
    bodies.append(slow, new Uint8Array(45 * KB), 10_600)
    bodies.release(slow)
    bodies.append(late, new Uint8Array(14 * KB), 10_700)
    expect(evicted()).toEqual([true, false, false, false])
  })

  it('[HTTP-19] is not taken from a slow body by many fast ones of one address', () => {
    const bodies = new BodyBuffers(120 * MB)
    const phone = bodies.open(0, '198.51.100.1')
    bodies.append(phone, new Uint8Array(MB), 60_000)
    const attackers = Array.from({ length: 30 }, () => bodies.open(60_000, '203.0.113.7'))
    for (const body of attackers) bodies.append(body, new Uint8Array(5 * MB), 62_000)
    expect(phone.isEvicted).toBe(false)
    expect(attackers.filter(({ isEvicted }) => isEvicted).length).toBeGreaterThan(0)
  })

  it('[HTTP-19] is not taken from a phone by bodies of many addresses that began fast and have become slow', () => {
    const bodies = new BodyBuffers(120 * MB)
    const attackers = Array.from({ length: 8 }, (_, index) => bodies.open(0, `203.0.113.${index}`))
    for (const body of attackers) bodies.append(body, new Uint8Array(12 * MB), 2_000)
    const phone = bodies.open(30_000, '198.51.100.1')
    for (let second = 3; second <= 60; second++) {
      for (const body of attackers) bodies.append(body, new Uint8Array(10 * KB), second * 1000)
      if (second > 30) bodies.append(phone, new Uint8Array(100 * KB), second * 1000)
    }
    const fast = bodies.open(60_000, '203.0.113.9')
    bodies.append(fast, new Uint8Array(18 * MB), 60_000)
    expect(phone).toMatchObject({ size: 3_000 * KB, isEvicted: false })
    expect(attackers.some(({ isEvicted }) => isEvicted)).toBe(true)
  })

  it('[HTTP-19] is not taken from a fast body most of which goes to the disk', () => {
    const bodies = new BodyBuffers(20 * MB)
    const [video, slow] = [bodies.open(0, '198.51.100.1'), bodies.open(0, '198.51.100.2')]
    bodies.append(video, new Uint8Array(200), 0)
    bodies.append(slow, new Uint8Array(MB), 0)
    bodies.countReceived(video, 40 * MB, 2_000)
    for (let other = 3; other <= 6; other++)
      bodies.append(bodies.open(2_000, `198.51.100.${other}`), new Uint8Array(4.9 * MB), 2_000)
    expect([video.isEvicted, slow.isEvicted]).toEqual([false, true])
  })

  it('[FILE-19] is not taken from a large body by many small ones of one address', () => {
    const bodies = new BodyBuffers(120 * MB)
    const attackers = Array.from({ length: 24 }, () => bodies.open(0, '203.0.113.7'))
    for (const body of attackers) bodies.append(body, new Uint8Array(5 * MB), 0)
    const victim = bodies.open(0, '198.51.100.1')
    for (let megabytes = 0; megabytes < 20; megabytes++) bodies.append(victim, new Uint8Array(MB), 0)
    expect(victim).toMatchObject({ size: 20 * MB, isEvicted: false })
    expect(attackers.filter(({ isEvicted }) => isEvicted).length).toBeGreaterThan(0)
  })

  it('[FILE-19] is at most 1.25 times the received bytes, for any number of chunks', () => {
    const bodies = new BodyBuffers(MB)
    const body = bodies.open(0, 'a')
    for (let index = 0; index < 100_000; index++) bodies.append(body, Uint8Array.of(index), 0)
    expect(body.bytes.length).toBeLessThanOrEqual(125_000)
    const whole = Uint8Array.from({ length: 100_000 }, (_, index) => index)
    expect(body.bytes.subarray(0, body.size).equals(whole)).toBe(true)
  })
})
