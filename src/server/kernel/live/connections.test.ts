import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encode } from '../../../shared/protocol/frame.ts'
import { createFakeTransport, type FakeTransport } from '../../testing/fixtures/fake-transport.ts'
import type { AppContext } from '../app-context.ts'
import { siteStream } from '../database/events/streams.ts'
import type { Connection, Identity } from './connection.ts'
import { ConnectionRegistry } from './connections.ts'
import { Publisher } from './publisher.ts'

const PING_INTERVAL_MS = 25_000

let registry: ConnectionRegistry
let publisher: Publisher
const removeConnection = vi.fn()
const notifyIfAlone = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  publisher = new Publisher(7)
  // Only what the registry uses.
  registry = new ConnectionRegistry({
    publisher,
    presence: { removeConnection },
    duplicates: { notifyIfAlone },
    config: { limitScale: 1 },
  } as unknown as AppContext)
})
afterEach(() => {
  registry.close()
  vi.useRealTimers()
})

/** A connection whose hello was accepted, and that hears every event. */
function openConnection(): { transport: FakeTransport; connection: Connection } {
  const transport = createFakeTransport()
  const connection = registry.openConnection(transport)
  const viewer = { userId: 3, sessionId: 4, role: 'guest', blockedIds: new Set() }
  connection.beginHandshake()
  connection.open({ viewer } as unknown as Identity, Date.now()) // nothing here uses the rest
  publisher.subscribe(connection, siteStream, 0)
  return { transport, connection }
}

const cursorsOf = ({ received }: FakeTransport) => received.filter((value) => value[1] === 'cursor').length

describe('a connection in the registry', () => {
  it('[LIVE-11] is closed with 4401 when no hello came within five seconds', () => {
    const { transport: greeted } = openConnection()
    const transport = createFakeTransport()
    registry.openConnection(transport)
    vi.advanceTimersByTime(4_999)
    expect(transport.closeCode).toBeNull()
    vi.advanceTimersByTime(1)
    expect([transport.closeCode, greeted.closeCode]).toEqual([4401, null])
  })

  it('[LIVE-20] is pinged every 25 s and closed at the ping after two missed pongs', async () => {
    const [silent, alive] = [openConnection(), openConnection()]
    const closedAfter: number[] = []
    for (let second = 1; second <= 250; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      alive.connection.pong()
      if (silent.transport.closeCode !== null) closedAfter.push(second)
    }
    expect(alive.transport).toMatchObject({ pingCount: 10, closeCode: null })
    expect(silent.transport).toMatchObject({ pingCount: 2, closeCode: 4429 })
    expect(closedAfter[0]).toBeGreaterThan(50)
    expect(closedAfter[0]).toBeLessThanOrEqual(75)
  })

  it('[LIVE-20] gets the cursor with a ping only if no logged event came since the last one', async () => {
    const { transport, connection } = openConnection()
    const publishEvery = async (ms: number) => {
      for (let at = 0; at < 4 * PING_INTERVAL_MS; at += ms) {
        publisher.publish([{ ...logged, seq: publisher.cursor() + 1 }])
        await vi.advanceTimersByTimeAsync(ms)
        connection.pong()
      }
    }
    await publishEvery(5_000)
    expect(cursorsOf(transport)).toBe(0)
    for (let interval = 0; interval < 4; interval++) {
      await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS)
      connection.pong()
    }
    expect(cursorsOf(transport)).toBeGreaterThanOrEqual(3)
  })

  it('leaves at once when its user is banned, and may come back after any other close', () => {
    const [banned, lost] = [openConnection(), openConnection()]
    publisher.publish([
      { ...logged, seq: 8, audience: 'session:5' },
      { ...logged, seq: 9, name: 'forceDisconnect', payload: encode({ message: '' }), audience: 'session:5' },
    ])
    registry.removeConnection(lost.connection)
    expect(removeConnection.mock.lastCall?.[1]).toBe('disconnected')
    publisher.publish([
      { ...logged, seq: 10, name: 'systemBannedNotification', payload: encode({}) },
      { ...logged, seq: 11, name: 'forceDisconnect', payload: encode({ message: '' }) },
    ])
    expect(banned.transport.closeCode).toBe(4403)
    registry.removeConnection(banned.connection)
    expect(removeConnection.mock.lastCall?.[1]).toBe('left')
    expect(notifyIfAlone.mock.calls).toEqual([[3], [3]])
    expect(registry.size).toBe(0)
  })
})

/** An event to everybody. */
const logged = {
  stream: siteStream,
  name: 'serverMaintenance',
  actorId: null,
  audience: null,
  payload: encode({ isOn: false, message: '' }),
} as const
