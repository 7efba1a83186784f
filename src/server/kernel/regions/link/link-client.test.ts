import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LinkedCluster, type LinkedTestRegion } from '../../../testing/links/linked-cluster.ts'
import type { CommandEnvelope } from '../../database/commands/command-envelope.ts'

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

  const connectTo = (site: LinkedTestRegion) => {
    fra.linkClient.connectTo(site.url)
    vi.advanceTimersByTime(SOON_MS)
  }
  const near = () => {
    const newest = fra.openedSockets.at(-1)
    if (!newest) throw new Error('no socket was opened')
    return newest.near
  }

  it('[REG-16] keeps one connection while it lives, idle or not', () => {
    connectTo(ist)
    vi.advanceTimersByTime(600 * SECOND_MS)
    expect(fra.openedSockets).toHaveLength(1)
    expect(unlinked).toBe(0)
  })

  it('[REG-16] closes a silent link at both ends within 5 s and reconnects', () => {
    connectTo(ist)
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

  it('[REG-16] closes a link with one dead direction', () => {
    connectTo(ist)
    near().tamper = () => []
    vi.advanceTimersByTime(6 * SECOND_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-16] reconnects at once when a stable link breaks', () => {
    connectTo(ist)
    vi.advanceTimersByTime(10 * SECOND_MS)
    fra.openedSockets[0]?.far.close(1006)
    vi.advanceTimersByTime(SOON_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-16] backs off up to 2 s while the primary is unreachable', () => {
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

  it('[REG-16] backs off from a primary that ends each link at once', () => {
    ist.linkServer.onLinked(() => setTimeout(() => fra.openedSockets.at(-1)?.far.close(1006), 10))
    fra.linkClient.connectTo(ist.url)
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets.length).toBeLessThanOrEqual(70)
  })

  it('[REG-16] abandons a site that accepts the socket and sends nothing, and retries', () => {
    vi.spyOn(ist.linkServer, 'accept').mockImplementation(() => {})
    connectTo(ist)
    vi.advanceTimersByTime(5 * SECOND_MS)
    expect(fra.openedSockets.length).toBeGreaterThanOrEqual(2)
    expect(fra.openedSockets[0]?.near.closeCode).toBe(4408)
  })

  it('links to a region only once it is the primary, within half a second', () => {
    ist.linkServer.setAccepting(false)
    connectTo(ist)
    vi.advanceTimersByTime(20 * SECOND_MS)
    // The latest attempt may be under way.
    const ended = fra.openedSockets.slice(0, -1).map((one) => one.near.closeCode)
    expect(ended.length).toBeGreaterThan(20)
    expect(new Set(ended)).toEqual(new Set([4503]))
    expect(fra.linkClient.isLinked()).toBe(false)
    ist.linkServer.setAccepting(true)
    vi.advanceTimersByTime(SECOND_MS / 2)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('is unlinked at once when the primary steps down', () => {
    connectTo(ist)
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(SOON_MS)
    expect(unlinked).toBe(1)
    expect(fra.linkClient.isLinked()).toBe(false)
    expect(fra.linkClient.roundTripMs()).toBeNull()
  })

  it('connects to another site, from a link as well as from an attempt', () => {
    const ams = sites.startRegion('ams')
    ams.linkServer.setAccepting(true)
    connectTo(ist)
    connectTo(ams)
    expect([ist.linkServer.regions().length, ams.linkServer.regions().length, unlinked]).toEqual([0, 1, 1])
    fra.linkClient.connectTo('http://nobody')
    vi.advanceTimersByTime(1)
    connectTo(ist)
    expect([ist.linkServer.regions().length, ams.linkServer.regions().length]).toEqual([1, 0])
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets.filter(({ url }) => url === ist.url)).toHaveLength(2)
  })

  it('connects to no site after connectTo(null)', () => {
    connectTo(ist)
    fra.linkClient.connectTo(null)
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(fra.openedSockets).toHaveLength(1)
    expect([fra.linkClient.isLinked(), unlinked]).toEqual([false, 1])
    expect(ist.linkServer.regions()).toEqual([])
  })

  it('connects to the site that an unlinked listener names', () => {
    const ams = sites.startRegion('ams')
    ams.linkServer.setAccepting(true)
    fra.linkClient.onUnlinked(() => fra.linkClient.connectTo(ams.url))
    connectTo(ist)
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(ams.linkServer.regions()).toHaveLength(1)
    expect(fra.openedSockets).toHaveLength(2)
  })

  it('[REG-15] refuses to send to a primary that does not read', () => {
    expect(fra.linkClient.send({ kind: 'getPosition', id: 1 })).toBe(false)
    connectTo(ist)
    near().pendingBytes = 8 * 1024 * 1024 + 1
    expect(fra.linkClient.send({ kind: 'command', id: 1, envelope: order, awaitReplicaAck: false })).toBe(false)
    expect(fra.linkClient.isLinked()).toBe(true)
    near().pendingBytes = 0
    expect(fra.linkClient.send({ kind: 'command', id: 1, envelope: order, awaitReplicaAck: false })).toBe(true)
  })

  it('[REG-15] ends the link when a relay cannot be sent', () => {
    connectTo(ist)
    near().pendingBytes = 8 * 1024 * 1024 + 1
    expect(fra.linkClient.send({ kind: 'relay', to: 'all', topic: 'x', payload: 1 })).toBe(false)
    expect(unlinked).toBe(1)
    vi.advanceTimersByTime(SECOND_MS)
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-15] drops a message that no frame can hold, and keeps the link', () => {
    connectTo(ist)
    const payload = new Uint8Array(1024 * 1024)
    expect(fra.linkClient.send({ kind: 'relay', to: 'all', topic: 'x', payload })).toBe(false)
    vi.advanceTimersByTime(SECOND_MS)
    expect([fra.linkClient.isLinked(), unlinked]).toEqual([true, 0])
  })
})
