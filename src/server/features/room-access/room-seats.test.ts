import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { createPresenceCluster, type PresenceCluster } from '../../testing/fixtures/presence-cluster.ts'
import { RoomSeats } from './room-seats.ts'

const ROOM = 7
const CAPACITY = 25

let cluster: PresenceCluster
let primary: string | null
let seats: Record<string, RoomSeats>
beforeEach(() => {
  vi.useFakeTimers()
  primary = 'ist'
  cluster = createPresenceCluster(['ist', 'fra', 'ams'])
  seats = Object.fromEntries(['ist', 'fra', 'ams'].map((name) => [name, createSeats(name)]))
})
afterEach(() => vi.useRealTimers())

function createSeats(name: string): RoomSeats {
  const replicationStatus = { role: () => (name === primary ? 'primary' : 'replica'), primaryRegion: () => primary }
  const reader = { get: () => ({ capacity: CAPACITY }) }
  const appContext = { presence: cluster.region(name).presence, reader, replicationStatus }
  return new RoomSeats(appContext as never, cluster.buses.busOf(name)) // what the seats use of the context
}

const seatsOf = (name: string) => seats[name] ?? expect.unreachable(name)

/** Enters as joinRoom does; resolves with the code of the refusal, or 'in'. */
async function enter(name: string, userId: number): Promise<string> {
  const refusal = await seatsOf(name).take(ROOM, userId, CAPACITY)
  if (refusal instanceof Refusal) return refusal.body.code
  cluster.region(name).connectTab(userId, { roomId: ROOM, ignoresEvents: true })
  return 'in'
}

const countOf = (results: string[], result: string) => results.filter((one) => one === result).length

describe('the seats of a room', () => {
  it.each([
    ['at once', 0],
    ['over a second', 1_000],
  ])('[ENTRY-18] are never exceeded by 200 newcomers in two regions %s', async (_, withinMs) => {
    const entries = Array.from({ length: 200 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * withinMs) / 200))
      return enter(index % 2 ? 'ist' : 'fra', index + 1)
    })
    await vi.advanceTimersByTimeAsync(5_000)
    const results = await Promise.all(entries)
    expect([countOf(results, 'in'), countOf(results, 'RoomFull')]).toEqual([CAPACITY, 175])
    for (const name of ['ist', 'fra', 'ams']) expect(cluster.region(name).presence.roomCount(ROOM, null)).toBe(CAPACITY)
  })

  it('[ENTRY-18] are never exceeded by newcomers in two replicas', async () => {
    const entries = Array.from({ length: 60 }, (_, index) => enter(index % 2 ? 'ams' : 'fra', index + 1))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(countOf(await Promise.all(entries), 'in')).toBe(CAPACITY)
  })

  it('[ENTRY-18] are one for each user, in all tabs and regions', async () => {
    for (let turn = 0; turn < 3; turn++) {
      for (const name of ['ist', 'fra']) {
        const entered = enter(name, 1)
        await vi.advanceTimersByTimeAsync(500)
        expect(await entered).toBe('in')
      }
    }
    const others = Array.from({ length: CAPACITY }, (_, index) => enter('ist', index + 2))
    expect(countOf(await Promise.all(others), 'in')).toBe(CAPACITY - 1)
  })

  it('[ENTRY-20] stay with a broken connection for its grace, and are free after it', async () => {
    const tab = cluster.region('ist').connectTab(1, { roomId: ROOM })
    for (let userId = 2; userId <= CAPACITY; userId++) await enter('ist', userId)
    tab.disconnect()
    expect(await enter('ist', 100)).toBe('RoomFull')
    expect(await enter('ist', 1)).toBe('in')
    cluster
      .region('ist')
      .presence.connectionsOf(1)
      .forEach((connection) => {
        cluster.region('ist').presence.removeConnection(connection, 'disconnected')
      })
    await vi.advanceTimersByTimeAsync(3_100)
    expect(await enter('ist', 100)).toBe('in')
  })

  it('[ENTRY-20] that were granted to somebody who never came are free again after five seconds', async () => {
    for (let userId = 1; userId < CAPACITY; userId++) await enter('ist', userId)
    const granted = seatsOf('fra').take(ROOM, 100, CAPACITY)
    await vi.advanceTimersByTimeAsync(100)
    expect(await granted).toBeNull()
    expect(await enter('ist', 101)).toBe('RoomFull')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await enter('ist', 101)).toBe('in')
  })

  it('[ENTRY-21] are refused clearly where the primary cannot be asked, and those who are in stay', async () => {
    const first = enter('fra', 1)
    await vi.advanceTimersByTimeAsync(500)
    expect(await first).toBe('in')
    cluster.buses.disconnect('fra')
    expect(await enter('fra', 2)).toBe('RegionCut')
    expect(await enter('fra', 1)).toBe('in')
    // A room that is far from its capacity stays open.
    expect(seatsOf('fra').take(1, 2, 100_000)).toBeNull()
    primary = null
    expect(await enter('ams', 3)).toBe('RegionCut')
    primary = 'ist'
    cluster.buses.connect('fra')
    const late = enter('fra', 2)
    await vi.advanceTimersByTimeAsync(500)
    expect(await late).toBe('in')
  })

  it('[ENTRY-21] are refused when the answer does not come', async () => {
    const asked = enter('fra', 1)
    cluster.buses.disconnect('fra')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await asked).toBe('RegionCut')
  })

  it('[ENTRY-22] that are taken cost a replica at most four questions a second', async () => {
    for (let userId = 1; userId <= CAPACITY; userId++) await enter('ist', userId)
    // The replica has not heard of them yet.
    const asksBefore = cluster.buses.sentMessages.filter(({ topic }) => topic === 'seats.ask').length
    const first = enter('fra', 1_000)
    await vi.advanceTimersByTimeAsync(10)
    expect(await first).toBe('RoomFull')
    for (let userId = 1_001; userId <= 2_000; userId++) expect(await enter('fra', userId)).toBe('RoomFull')
    const asks = cluster.buses.sentMessages.filter(({ topic }) => topic === 'seats.ask').length
    expect(asks - asksBefore).toBe(1)
  })

  it('[GHOSTP-09] are neither taken nor reserved by a ghost-banned guest, whom a full room refuses', async () => {
    for (const name of ['ist', 'fra', 'ams']) for (const id of [1, 2]) cluster.region(name).presence.setGhost(id, true)
    const fill = (count: number, from: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => enter('ist', from + index)))
    const ghost = enter('fra', 1)
    await vi.advanceTimersByTimeAsync(100)
    expect(await ghost).toBe('in')
    // Granted, and its user not there yet.
    expect(await seatsOf('ist').take(ROOM, 2, CAPACITY)).toBeNull()
    expect(countOf(await fill(CAPACITY, 10), 'in')).toBe(CAPACITY)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await enter('ist', 2)).toBe('RoomFull')
    const again = enter('fra', 1)
    await vi.advanceTimersByTimeAsync(100)
    expect(await again).toBe('in')
  })
})
