import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppContext } from '../app-context.ts'
import { createFakeTransport } from '../testing/fixtures/fake-transport.ts'
import { ConnectionRegistry } from './connections.ts'
import { Publisher } from './publisher.ts'

let lines: ConnectionRegistry
beforeEach(() => {
  vi.useFakeTimers()
  const presence = { removeConnection: () => {} }
  // What a line asks of the world before hello, and nothing more.
  lines = new ConnectionRegistry({
    publisher: new Publisher(7),
    presence,
    settings: { limitScale: 1 },
  } as unknown as AppContext)
})
afterEach(() => vi.useRealTimers())

describe('a line', () => {
  it('[LIVE-11] closes with 4401 when no hello came within five seconds', () => {
    const transport = createFakeTransport()
    lines.openConnection(transport)
    vi.advanceTimersByTime(4_999)
    expect(transport.closeCode).toBeNull()
    vi.advanceTimersByTime(1)
    expect(transport.closeCode).toBe(4401)
  })

  it('[LIVE-20] is pinged every 25 s and ends after two missed pongs', () => {
    const [silent, alive] = [createFakeTransport(), createFakeTransport()]
    for (const transport of [silent, alive]) vi.spyOn(transport, 'close')
    const connections = [lines.openConnection(silent), lines.openConnection(alive)]
    // They never say hello here: what is asked is only that pings come and missing pongs are noticed.
    for (let second = 0; second < 75; second++) {
      vi.advanceTimersByTime(1_000)
      connections[1]?.onPong()
    }
    expect(alive.pingCount).toBeLessThanOrEqual(3)
    expect(silent.closeCode).not.toBeNull()
    expect(lines.size).toBe(2)
    connections[0]?.onClose()
    expect(lines.size).toBe(1)
  })
})
