import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { SlowBodies } from './slow-bodies.ts'

const KB = 1024

function openBody() {
  const socket = { bytesRead: 500, destroyed: false }
  const request = { socket, complete: false, readableLength: 0 }
  return { socket, request, message: request as unknown as IncomingMessage } // the fields that are looked at
}

/** Seconds until a body that brings `bytesOf` each second is found; 600 if it never is. */
function secondsUntilSlow(bytesOf: (second: number) => number, unreadBytes = 0): number {
  const bodies = new SlowBodies()
  const { socket, request, message } = openBody()
  request.readableLength = unreadBytes
  bodies.add(message, 0)
  for (let second = 1; second < 600; second++) {
    socket.bytesRead += bytesOf(second)
    if (bodies.takeSlow(second * 1000).length > 0) return second
  }
  return 600
}

describe('a body', () => {
  it('[HTTP-14] is slow below the minimum rate, 5 seconds after a route would have refused it', () => {
    expect(secondsUntilSlow(() => 0)).toBe(16)
    expect(secondsUntilSlow(() => 1)).toBe(16)
    expect(secondsUntilSlow((second) => (second === 1 ? 1_000 * KB : 1))).toBe(17)
    expect(secondsUntilSlow(() => 8 * KB)).toBe(600)
    expect(secondsUntilSlow((second) => (second % 30 < 9 ? 0 : 32 * KB))).toBe(600)
  })

  it('[HTTP-14] is not slow while the server has not read what has arrived', () => {
    expect(secondsUntilSlow(() => 0, 1)).toBe(600)
  })

  it('[HTTP-14] is slow no more when it is complete, or its socket closed', () => {
    const bodies = new SlowBodies()
    const [complete, closed] = [openBody(), openBody()]
    bodies.add(complete.message, 0)
    bodies.add(closed.message, 0)
    complete.request.complete = true
    closed.socket.destroyed = true
    expect(bodies.takeSlow(60_000)).toEqual([])
  })
})
