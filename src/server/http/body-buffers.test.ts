import { describe, expect, it } from 'vitest'
import { BodyBuffers } from './body-buffers.ts'

const KB = 1024
const MB = 1024 * KB

/** How many seconds a body is borne with that brings so many bytes in each; 600 where it is to its end. */
function secondsOf(bytesOf: (second: number) => number): number {
  const bodies = new BodyBuffers(1_000 * MB)
  const body = bodies.open(0)
  for (let second = 1; second < 600; second++) {
    if (second * 1000 > body.deadlineMs) return second
    const size = bytesOf(second)
    if (size > 0) bodies.append(body, new Uint8Array(size), second * 1000)
  }
  return 600
}

describe('a body that comes', () => {
  it('[FILE-19] has its time when it comes as from a slow phone, and when it rests for a while', () => {
    expect(secondsOf(() => 32 * KB)).toBe(600)
    expect(secondsOf(() => 8 * KB)).toBe(600)
    // A tunnel of 9 seconds in each half minute.
    expect(secondsOf((second) => (second % 30 < 9 ? 0 : 32 * KB))).toBe(600)
  })

  it('[FILE-19] is given up when it trickles, and when it rests on what it sent at once', () => {
    expect(secondsOf(() => 0)).toBe(11)
    expect(secondsOf(() => 1)).toBe(11)
    expect(secondsOf(() => 4 * KB)).toBe(20)
    expect(secondsOf((second) => (second === 1 ? 19 * MB : 1))).toBe(12)
  })
})

describe('the memory of bodies', () => {
  it('[FILE-19] is bounded: the largest that is not whole makes room, and those who send little go on', () => {
    const bodies = new BodyBuffers(100 * KB)
    const [phone, greedy, whole, late] = [bodies.open(0), bodies.open(0), bodies.open(0), bodies.open(0)]
    bodies.append(phone, new Uint8Array(10 * KB), 0)
    bodies.append(whole, new Uint8Array(50 * KB), 0)
    bodies.complete(whole)
    bodies.append(greedy, new Uint8Array(40 * KB), 0)
    bodies.append(late, new Uint8Array(1), 0)
    const isOut = () => [phone, greedy, whole, late].map(({ isEvicted }) => isEvicted)
    expect(isOut()).toEqual([false, true, false, false])
    // What it goes on to send is let go with it.
    bodies.append(greedy, new Uint8Array(45 * KB), 0)
    bodies.release(greedy)
    bodies.append(late, new Uint8Array(39 * KB), 0)
    expect(isOut()).toEqual([false, true, false, false])
    bodies.release(whole)
    bodies.append(late, new Uint8Array(50 * KB), 0)
    expect(isOut()).toEqual([false, true, false, false])
  })

  it('[FILE-19] is hardly more than what came, in however many pieces', () => {
    const bodies = new BodyBuffers(MB)
    const body = bodies.open(0)
    for (let at = 0; at < 100_000; at++) bodies.append(body, Uint8Array.of(at), 0)
    expect(body.bytes.length).toBeLessThanOrEqual(125_000)
    const whole = Uint8Array.from({ length: 100_000 }, (_, at) => at)
    expect(body.bytes.subarray(0, body.size).equals(whole)).toBe(true)
  })
})
