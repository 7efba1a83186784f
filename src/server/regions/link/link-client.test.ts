import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandEnvelope } from '../../database/writer-client.ts'
import { LinkedCluster, type LinkedTestRegion } from '../../testing/links/linked-cluster.ts'

const SECOND_MS = 1_000
const SOON_MS = 100

const order: CommandEnvelope = {
  command: 'sendMessage',
  actor: null,
  input: {},
  clientId: null,
}

describe("a replica's end of the link", () => {
  let sites: LinkedCluster
  let ist: LinkedTestRegion
  let fra: LinkedTestRegion
  let unlinked: number
  beforeEach(() => {
    vi.useFakeTimers()
    sites = new LinkedCluster()
    ist = sites.startRegion('ist')
    fra = sites.startRegion('fra')
    unlinked = 0
    fra.linkClient.onUnlinked(() => unlinked++)
    ist.linkServer.setAccepting(true)
  })
  afterEach(() => void vi.useRealTimers())

  const dial = (site: LinkedTestRegion) => {
    fra.linkClient.connectTo(site.url)
    vi.advanceTimersByTime(SOON_MS)
  }
  const near = () => {
    const newest = fra.openedSockets.at(-1)
    if (!newest) throw new Error('it has not dialled')
    return newest.near
  }

  it('[REG-16] keeps one line for as long as it lives, idle or not', () => {
    dial(ist)
    vi.advanceTimersByTime(600 * SECOND_MS)
    expect(fra.openedSockets).toHaveLength(1)
    expect(unlinked).toBe(0)
  })

  it('[REG-16] gives a line up that falls silent, at both ends within 5 s, and comes back by itself', () => {
    dial(ist)
    const ended = vi.fn()
    ist.linkServer.onUnlinked(ended)
    near().cut()
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect([unlinked, ended.mock.calls.length]).toEqual([0, 0])
    vi.advanceTimersByTime(2 * SECOND_MS)
    expect([unlinked, ended.mock.calls.length]).toEqual([1, 1])
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.linkClient.isLinked()).toBe(true)
    expect(ist.linkServer.regions()).toHaveLength(1)
  })

  it('[REG-16] gives a line up on which only one direction has died', () => {
    dial(ist)
    near().tamper = () => []
    vi.advanceTimersByTime(6 * SECOND_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-16] comes back at once when a line that held breaks', () => {
    dial(ist)
    vi.advanceTimersByTime(10 * SECOND_MS)
    fra.openedSockets[0]?.far.close(1006)
    vi.advanceTimersByTime(SOON_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-16] waits longer and longer, but no longer than 2 s, for a primary that is not there', () => {
    ist.crash()
    fra.linkClient.connectTo(ist.url)
    vi.advanceTimersByTime(SECOND_MS)
    expect(fra.openedSockets.length).toBeGreaterThanOrEqual(2)
    expect(fra.openedSockets.length).toBeLessThanOrEqual(5)
    const tries = fra.openedSockets.length
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets.length - tries).toBeGreaterThanOrEqual(29)
    expect(fra.openedSockets.length - tries).toBeLessThanOrEqual(62)
    sites.startRegion('ist').linkServer.setAccepting(true)
    vi.advanceTimersByTime(2 * SECOND_MS + SOON_MS)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-16] does not hammer a primary that links and ends the line each time', () => {
    ist.linkServer.onLinked(() => setTimeout(() => fra.openedSockets.at(-1)?.far.close(1006), 10))
    fra.linkClient.connectTo(ist.url)
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets.length).toBeLessThanOrEqual(70)
  })

  it('[REG-16] gives up on a site that takes the socket and says nothing, and tries again', () => {
    vi.spyOn(ist.linkServer, 'accept').mockImplementation(() => {})
    dial(ist)
    vi.advanceTimersByTime(5 * SECOND_MS)
    expect(fra.openedSockets.length).toBeGreaterThanOrEqual(2)
    expect(fra.openedSockets[0]?.near.closeCode).toBe(4408)
  })

  it('is not linked to a region that does not lead, and is within half a second of its leading', () => {
    ist.linkServer.setAccepting(false)
    dial(ist)
    vi.advanceTimersByTime(20 * SECOND_MS)
    // The newest try may be under way.
    const ended = fra.openedSockets.slice(0, -1).map((one) => one.near.closeCode)
    expect(ended.length).toBeGreaterThan(20)
    expect(new Set(ended)).toEqual(new Set([4503]))
    expect(fra.linkClient.isLinked()).toBe(false)
    ist.linkServer.setAccepting(true)
    vi.advanceTimersByTime(SECOND_MS / 2)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('is unlinked at once when the primary leads no more', () => {
    dial(ist)
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(SOON_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(false)
    expect(fra.linkClient.roundTripMs()).toBeNull()
  })

  it('goes over to whom it is told to dial, from a line as well as from a try', () => {
    const ams = sites.startRegion('ams')
    ams.linkServer.setAccepting(true)
    dial(ist)
    dial(ams)
    expect([ist.linkServer.regions().length, ams.linkServer.regions().length, unlinked]).toEqual([0, 1, 1])
    fra.linkClient.connectTo('http://nobody')
    vi.advanceTimersByTime(1)
    dial(ist)
    expect([ist.linkServer.regions().length, ams.linkServer.regions().length]).toEqual([1, 0])
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets.filter(({ url }) => url === ist.url)).toHaveLength(2)
  })

  it('dials nobody any more once it is told so', () => {
    dial(ist)
    fra.linkClient.connectTo(null)
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets).toHaveLength(1)
    expect([fra.linkClient.isLinked(), unlinked]).toEqual([false, 1])
    expect(ist.linkServer.regions()).toEqual([])
  })

  it('goes where a listener sends it that hears of the end', () => {
    const ams = sites.startRegion('ams')
    ams.linkServer.setAccepting(true)
    fra.linkClient.onUnlinked(() => fra.linkClient.connectTo(ams.url))
    dial(ist)
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(ams.linkServer.regions()).toHaveLength(1)
    expect(fra.openedSockets).toHaveLength(2)
  })

  it('[REG-15] takes nothing more for a primary that does not read', () => {
    expect(fra.linkClient.send({ kind: 'getPosition', id: 1 })).toBe(false)
    dial(ist)
    near().pendingBytes = 8 * 1024 * 1024 + 1
    expect(fra.linkClient.send({ kind: 'command', id: 1, envelope: order, awaitReplicaAck: false })).toBe(false)
    expect(fra.linkClient.isLinked()).toBe(true)
    near().pendingBytes = 0
    expect(fra.linkClient.send({ kind: 'command', id: 1, envelope: order, awaitReplicaAck: false })).toBe(true)
  })

  it('[REG-15] begins anew when something that was said cannot be sent, so that it is told on the next line', () => {
    dial(ist)
    near().pendingBytes = 8 * 1024 * 1024 + 1
    expect(fra.linkClient.send({ kind: 'relay', to: 'all', topic: 'x', payload: 1 })).toBe(false)
    expect(unlinked).toBe(1)
    vi.advanceTimersByTime(SECOND_MS)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-15] does not send what no frame can hold, and keeps the line', () => {
    dial(ist)
    const payload = new Uint8Array(1024 * 1024)
    expect(fra.linkClient.send({ kind: 'relay', to: 'all', topic: 'x', payload })).toBe(false)
    vi.advanceTimersByTime(SECOND_MS)
    expect([fra.linkClient.isLinked(), unlinked]).toEqual([true, 0])
  })
})
