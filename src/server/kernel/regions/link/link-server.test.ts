import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLinkSocketPair, type PairedSocket } from '../../../testing/links/link-socket-pair.ts'
import {
  LinkedCluster,
  type LinkedRegionOptions,
  type LinkedTestRegion,
  SOON_MS,
} from '../../../testing/links/linked-cluster.ts'
import type { CommandEnvelope } from '../../database/commands/command-envelope.ts'
import type { PrimaryMessage, ReplicaMessage } from './link-messages.ts'

const SECOND_MS = 1_000
const MEBIBYTE = 1024 * 1024

const order: CommandEnvelope = {
  command: 'sendMessage',
  actor: null,
  input: {},
  clientId: null,
}
const command = (id: number): ReplicaMessage => ({ kind: 'command', id, envelope: order, awaitReplicaAck: false })

let sites: LinkedCluster
let ist: LinkedTestRegion
beforeEach(() => {
  vi.useFakeTimers()
  sites = new LinkedCluster()
  ist = sites.startRegion('ist')
  ist.linkServer.setAccepting(true)
})
afterEach(() => void vi.useRealTimers())

const link = (region: string, options?: LinkedRegionOptions) => sites.startReplica(region, ist, options)
const linked = () => ist.linkServer.regions().map(({ region }) => region)
const messagesFrom = (region: string) => ist.receivedAsPrimary.filter(({ from }) => from.region === region)
const refusals = (messages: PrimaryMessage[]) =>
  messages.flatMap((message) => (message.kind === 'answer' && message.refusal ? [message.refusal.code] : []))

describe("the primary's end of the link", () => {
  it('rejects links with 4503 until it accepts', () => {
    const ams = sites.startRegion('ams')
    const [mine, theirs] = createLinkSocketPair()
    ams.linkServer.accept(theirs, 'somewhere')
    vi.advanceTimersByTime(SOON_MS)
    expect(mine.closeCode).toBe(4503)
    expect(theirs.sentFrames).toEqual([])
  })

  it('does not link a region to itself', () => {
    ist.linkClient.connectTo(ist.url)
    vi.advanceTimersByTime(SOON_MS)
    expect(ist.latestSockets().near.closeCode).toBe(4508)
    expect([ist.linkClient.isLinked(), linked()]).toEqual([false, []])
  })

  it('[REG-17] replaces a link of the same region, and notifies of both', () => {
    const notified: string[] = []
    const old = link('fra')
    ist.linkServer.onUnlinked(({ region }) => notified.push(`${region} went`))
    ist.linkServer.onLinked(({ region }) => notified.push(`${region} came`))
    old.latestSockets().near.cut()
    const fresh = link('fra')
    expect(notified).toEqual(['fra went', 'fra came'])
    expect([fresh.linkClient.isLinked(), linked()]).toEqual([true, ['fra']])
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(notified).toHaveLength(2)
  })

  it('[REG-12] keeps a link when an unauthenticated peer claims its name', () => {
    const fra = link('fra')
    const stranger = link('fra', { secret: 'the secret of another site, which is as long' })
    expect(stranger.latestSockets().near.closeCode).toBe(4401)
    expect([fra.linkClient.isLinked(), fra.openedSockets.length]).toEqual([true, 1])
  })

  it('sends nothing over an ended link', () => {
    const fra = link('fra')
    const [region] = ist.linkServer.regions()
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(SOON_MS)
    const before = fra.receivedFromPrimary.length
    region?.send({ kind: 'indeterminate', id: 1 })
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.receivedFromPrimary).toHaveLength(before)
  })

  it('answers Failed when an answer exceeds a frame', () => {
    const fra = link('fra')
    fra.linkClient.send(command(1))
    vi.advanceTimersByTime(SOON_MS)
    const [region] = ist.linkServer.regions()
    region?.send({ kind: 'answer', id: 1, answer: { text: 'x'.repeat(MEBIBYTE) }, position: { txid: '', seq: 9 } })
    vi.advanceTimersByTime(SOON_MS)
    expect(refusals(fra.receivedFromPrimary)).toEqual(['Failed'])
    expect(fra.linkClient.isLinked()).toBe(true)
  })
})

describe('unauthenticated sockets', () => {
  const openStranger = (address: string) => {
    const [near, far] = createLinkSocketPair()
    ist.linkServer.accept(far, address)
    return near
  }
  const stillThere = (ends: PairedSocket[]) => ends.filter((end) => end.closeCode === null).length

  it('[REG-14] are closed after 3 s', () => {
    const stranger = openStranger('a')
    vi.advanceTimersByTime(2_900)
    expect(stranger.closeCode).toBeNull()
    vi.advanceTimersByTime(200)
    expect(stranger.closeCode).toBe(4401)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['what is no proof', Uint8Array.from([0x92, 0xc4, 0x00, 0xc4, 0x00])],
    ['more than a handshake', new Uint8Array(5_000)],
    ['lengths of gigabytes', Uint8Array.from([0xdd, 0xff, 0xff, 0xff, 0xff])],
  ])('[REG-14] are cut off after one frame, of %s', (_, frame) => {
    const stranger = openStranger('a')
    stranger.send(frame)
    stranger.send(frame)
    vi.advanceTimersByTime(SOON_MS)
    expect(stranger.closeCode).toBe(4401)
    expect(linked()).toEqual([])
  })

  it('[REG-14] keep no region from linking: the oldest idle one is closed', () => {
    const crowd = Array.from({ length: 100 }, (_, at) => openStranger(`address ${at}`))
    vi.advanceTimersByTime(SOON_MS)
    expect(stillThere(crowd)).toBe(64)
    expect(crowd[0]?.closeCode).toBe(4401)
    expect(crowd[99]?.closeCode).toBeNull()
    expect(link('fra').linkClient.isLinked()).toBe(true)
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(stillThere(crowd)).toBe(0)
    expect(linked()).toEqual(['fra'])
  })

  it('[REG-14] keep no region from linking from their own address', () => {
    const crowd = Array.from({ length: 100 }, () => openStranger('fra'))
    vi.advanceTimersByTime(SOON_MS)
    expect(stillThere(crowd)).toBe(8)
    expect(link('fra').linkClient.isLinked()).toBe(true)
  })

  it('[REG-14] keep no region from linking while hundreds a second connect', () => {
    let times = 0
    const flood = setInterval(() => openStranger(`address ${times++}`), 2)
    const fra = link('fra')
    clearInterval(flood)
    expect(times).toBeGreaterThanOrEqual(50)
    expect([fra.linkClient.isLinked(), fra.openedSockets.length]).toEqual([true, 1])
  })

  it('[REG-14] close no established link', () => {
    const fra = link('fra')
    for (let times = 0; times < 300; times++) openStranger(`address ${times}`).send(new Uint8Array(100))
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect([fra.linkClient.isLinked(), fra.openedSockets.length]).toEqual([true, 1])
  })
})

describe('a region that sends too much', () => {
  let fra: LinkedTestRegion
  let ams: LinkedTestRegion
  beforeEach(() => {
    fra = link('fra')
    ams = link('ams')
  })

  it('[REG-15] is refused with Busy beyond 2,000 commands under way, other regions are not', () => {
    for (let id = 1; id <= 2_500; id++) fra.linkClient.send(command(id))
    ams.linkClient.send(command(1))
    vi.advanceTimersByTime(SOON_MS)
    expect(messagesFrom('fra')).toHaveLength(2_000)
    expect(refusals(fra.receivedFromPrimary)).toEqual(Array(500).fill('Busy'))
    expect(messagesFrom('ams')).toHaveLength(1)
  })

  it('[REG-15] may send again as many commands as were answered or indeterminate', () => {
    for (let id = 1; id <= 2_000; id++) fra.linkClient.send(command(id))
    vi.advanceTimersByTime(SOON_MS)
    const region = ist.linkServer.regions().find((one) => one.region === 'fra')
    region?.send({ kind: 'answer', id: 1, answer: {}, position: { txid: '', seq: 0 } })
    region?.send({ kind: 'indeterminate', id: 2 })
    for (let id = 2_001; id <= 2_003; id++) fra.linkClient.send(command(id))
    vi.advanceTimersByTime(SOON_MS)
    expect(messagesFrom('fra')).toHaveLength(2_002)
    expect(refusals(fra.receivedFromPrimary)).toEqual(['Busy'])
  })

  it('[REG-15] is paused while other links are read; everything arrives in the end', () => {
    const payload = new Uint8Array(MEBIBYTE / 2)
    for (let times = 0; times < 40; times++) fra.linkClient.send({ kind: 'relay', to: 'ist', topic: 'x', payload })
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.latestSockets().far.isPaused).toBe(true)
    const before = messagesFrom('fra').length
    expect(before).toBeLessThan(25)
    ams.linkClient.send(command(1))
    vi.advanceTimersByTime(10)
    expect(messagesFrom('ams')).toHaveLength(1)
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(messagesFrom('fra')).toHaveLength(40)
    expect([fra.openedSockets.length, fra.latestSockets().far.isPaused]).toEqual([1, false])
  })

  it('[REG-15] loses its link when too many bytes wait, and reconnects', () => {
    fra.latestSockets().far.pendingBytes = 16 * MEBIBYTE
    ist.linkServer.regions()[0]?.send({ kind: 'indeterminate', id: 1 })
    expect(linked()).toEqual(['ams'])
    vi.advanceTimersByTime(SECOND_MS)
    expect(linked().sort()).toEqual(['ams', 'fra'])
  })

  it.each([
    ['no message', 7],
    ['a command without an order', { kind: 'command', id: 1 }],
    ['an order that is none', { kind: 'command', id: 1, envelope: 'sendMessage', awaitReplicaAck: false }],
  ])('[REG-15] ends its own line alone with %s', (_, message) => {
    fra.linkClient.send(message as unknown as ReplicaMessage) // of a region with bugs
    vi.advanceTimersByTime(50)
    expect(fra.latestSockets().near.closeCode).toBe(4400)
    expect(linked()).toEqual(['ams'])
    expect(ist.receivedAsPrimary).toEqual([])
  })
})
