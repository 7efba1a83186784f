import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppContext } from '../app-context.ts'
import { createFakeTransport } from '../testing/fixtures/fake-transport.ts'
import { ConnectionRegistry } from './connections.ts'
import { Publisher } from './publisher.ts'

let registry: ConnectionRegistry
beforeEach(() => {
  vi.useFakeTimers()
  const presence = { removeConnection: () => {} }
  // Only what a connection uses before hello.
  registry = new ConnectionRegistry({
    publisher: new Publisher(7),
    presence,
    settings: { limitScale: 1 },
  } as unknown as AppContext)
})
afterEach(() => vi.useRealTimers())

describe('a connection in the registry', () => {
  it('[LIVE-11] is closed with 4401 when no hello came within five seconds', () => {
    const transport = createFakeTransport()
    registry.openConnection(transport)
    vi.advanceTimersByTime(4_999)
    expect(transport.closeCode).toBeNull()
    vi.advanceTimersByTime(1)
    expect(transport.closeCode).toBe(4401)
  })

  it('[LIVE-20] is pinged every 25 s and closed after two missed pongs', () => {
    const [silent, alive] = [createFakeTransport(), createFakeTransport()]
    for (const transport of [silent, alive]) vi.spyOn(transport, 'close')
    const [silentConnection, aliveConnection] = [registry.openConnection(silent), registry.openConnection(alive)]
    // Neither sends hello, so both end closed; the test is about pings and missed pongs.
    for (let second = 0; second < 75; second++) {
      vi.advanceTimersByTime(1_000)
      aliveConnection.pong()
    }
    expect(alive.pingCount).toBeLessThanOrEqual(3)
    expect(silent.closeCode).not.toBeNull()
    expect(registry.size).toBe(2)
    registry.removeConnection(silentConnection)
    expect(registry.size).toBe(1)
  })
})
