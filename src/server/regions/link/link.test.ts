import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandEnvelope } from '../../database/writer-client.ts'
import { createLinkSocketPair, type PairedSocket } from '../../testing/links/link-socket-pair.ts'
import { LinkedCluster, type LinkedTestRegion } from '../../testing/links/linked-cluster.ts'
import { createClusterClock } from '../replication/cluster-clock.ts'
import type { ReplicaMessage } from './link-protocol.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** More than the handshake takes with 5 ms each way. */
const SOON_MS = 100

const order: CommandEnvelope = {
  command: 'sendMessage',
  actor: { userId: 4, sessionId: 5 },
  input: { roomId: 1, text: 'merhaba' },
  clientId: 'an id',
}
const command = (id: number): ReplicaMessage => ({ kind: 'command', id, envelope: order, awaitReplicaAck: false })

let sites: LinkedCluster
let ist: LinkedTestRegion
beforeEach(() => {
  vi.useFakeTimers()
  sites = new LinkedCluster()
  ist = sites.startRegion('ist')
  ist.hub.setAccepting(true)
})
afterEach(() => void vi.useRealTimers())

/** Starts a region and links it to Istanbul, the primary. */
function link(region: string, options: Parameters<LinkedCluster['startRegion']>[1] = {}): LinkedTestRegion {
  const site = sites.startRegion(region, options)
  site.dialler.connectTo(ist.url)
  vi.advanceTimersByTime(SOON_MS)
  return site
}

/** The sockets of the newest try of a region. */
function sockets(site: LinkedTestRegion): { near: PairedSocket; far: PairedSocket } {
  const newest = site.dialledSockets.at(-1)
  if (!newest) throw new Error('it has not dialled')
  return newest
}

const linkedRegions = () => ist.hub.regions().map((one) => one.region)
const receivedCommandIds = () =>
  ist.receivedAsHub.flatMap(({ message }) => (message.kind === 'command' ? [message.id] : []))

describe('a link', () => {
  it('[REG-12] comes about between two who know the secret, and both know who the other is', () => {
    const hubs: object[] = []
    const fra = sites.startRegion('fra', { isCandidate: false })
    fra.dialler.onLinked((hub) => hubs.push(hub))
    fra.dialler.connectTo(ist.url)
    expect(fra.dialler.isLinked()).toBe(false)
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.dialler.isLinked()).toBe(true)
    expect(hubs).toEqual([{ region: 'ist', url: 'http://ist' }])
    expect(ist.hub.regions()).toMatchObject([{ region: 'fra', url: 'http://fra', isCandidate: false }])
    expect(fra.dialler.roundTripMs()).toBe(10)
  })

  it('[REG-12] carries commands there and answers back', () => {
    const fra = link('fra')
    ist.hub.onMessage((from, message) => {
      if (message.kind === 'command')
        from.send({ kind: 'answer', id: message.id, answer: { done: true }, position: { txid: '', seq: 3 } })
    })
    expect(fra.dialler.send(command(1))).toBe(true)
    vi.advanceTimersByTime(SOON_MS)
    expect(ist.receivedAsHub.at(-1)).toMatchObject({ from: { region: 'fra' }, message: command(1) })
    expect(fra.receivedFromHub).toContainEqual({
      ...{ kind: 'answer', id: 1, answer: { done: true }, position: { txid: '', seq: 3 } },
    })
  })

  it('[REG-12] comes about with none who has another secret, whoever of the two that is', () => {
    const stranger = link('fra', { secret: 'the secret of another site, which is as long' })
    expect(stranger.dialler.isLinked()).toBe(false)
    expect(stranger.dialledSockets[0]?.near.closeCode).toBe(4401)
    const other = sites.startRegion('ams', { secret: 'the secret of another site, which is as long' })
    other.hub.setAccepting(true)
    const ber = sites.startRegion('ber')
    ber.dialler.connectTo(other.url)
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(ber.dialler.isLinked()).toBe(false)
    expect([...linkedRegions(), ...other.hub.regions()]).toEqual([])
  })

  it.each([HOUR_MS, -HOUR_MS])(
    '[REG-12] [REG-18] comes about with clocks %d ms apart, and brings the clock',
    (apart) => {
      const fra = link('fra', { clock: createClusterClock(() => Date.now() - apart) })
      expect(fra.dialler.isLinked()).toBe(true)
      expect(fra.clock.now()).toBe(Date.now())
      expect(fra.clock.offsetMs()).toBe(apart)
    },
  )

  it('[REG-18] leaves the clock as it was learnt when the region leads itself, and others learn it there', () => {
    const fra = link('fra', { clock: createClusterClock(() => Date.now() - HOUR_MS) })
    ist.crash()
    fra.dialler.connectTo(null)
    fra.hub.setAccepting(true)
    const ams = sites.startRegion('ams', { clock: createClusterClock(() => Date.now() + HOUR_MS) })
    ams.dialler.connectTo(fra.url)
    vi.advanceTimersByTime(SOON_MS)
    expect([fra.clock.offsetMs(), ams.clock.offsetMs()]).toEqual([HOUR_MS, -HOUR_MS])
    expect(ams.clock.now()).toBe(fra.clock.now())
  })

  it('tells the primary how far a region has come, and every region once a second how far the primary has', () => {
    const fra = link('fra')
    expect(ist.hub.regions()[0]?.position()).toBeNull()
    fra.dialler.send({ kind: 'position', position: { txid: '', seq: 5 } })
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(ist.hub.regions()[0]?.position()).toEqual({ txid: '', seq: 5 })
    const told = fra.receivedFromHub.filter(({ kind }) => kind === 'position')
    expect(told).toEqual(Array(3).fill({ kind: 'position', id: 0, position: { txid: '', seq: 7 } }))
  })
})

describe('whoever sits between two regions', () => {
  /** Repeats, drops, swaps, alters frames after the handshake, and adds one of an earlier line. */
  const tampering: Record<string, (frames: Uint8Array[], old: Uint8Array) => Uint8Array[]> = {
    'repeats a frame': ([one, two]) => [one, one, two] as Uint8Array[],
    'drops a frame': ([, two]) => [two] as Uint8Array[],
    'swaps two frames': ([one, two]) => [two, one] as Uint8Array[],
    'turns one bit': ([one, two]) => [one?.map((byte, at) => (at === 20 ? byte ^ 1 : byte)), two] as Uint8Array[],
    'cuts a byte off': ([one, two]) => [one?.subarray(0, -1), two] as Uint8Array[],
    'adds a frame of an earlier line': ([one, two], old) => [old, one, two] as Uint8Array[],
    'adds a frame of nothing': ([one, two]) => [new Uint8Array(), one, two] as Uint8Array[],
  }

  it.each(Object.entries(tampering))('[REG-13] ends the line when it %s, and nothing of it counts', (_, tamper) => {
    const fra = link('fra')
    fra.dialler.send(command(1))
    vi.advanceTimersByTime(SOON_MS)
    const earlier = sockets(fra).near.sentFrames.at(-1) ?? new Uint8Array()
    sockets(fra).near.cut()
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(fra.dialledSockets).toHaveLength(2)

    const held: Uint8Array[] = []
    const { near, far } = sockets(fra)
    near.tamper = (frame) => {
      held.push(frame)
      return held.length < 2 ? [] : tamper(held.splice(0), earlier)
    }
    fra.dialler.send(command(2))
    fra.dialler.send(command(3))
    vi.advanceTimersByTime(SOON_MS)
    expect(far.closeCode).toBe(4400)
    expect(receivedCommandIds().filter((id) => id === 1)).toHaveLength(1)
    expect(receivedCommandIds().filter((id) => id === 2).length).toBeLessThanOrEqual(1)
    expect(receivedCommandIds()).not.toContain(3)

    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(fra.dialler.isLinked()).toBe(true)
  })

  it('[REG-13] gets nothing by relaying the handshake: what it adds ends the line, in either direction', () => {
    for (const end of ['near', 'far'] as const) {
      const fra = link('fra')
      const relayed = sockets(fra)[end]
      const forged = relayed.sentFrames.at(-1) ?? new Uint8Array()
      relayed.tamper = (frame) => [forged, frame]
      vi.advanceTimersByTime(2 * SECOND_MS)
      expect(relayed.closeCode).toBe(4400)
      fra.crash()
    }
    expect(receivedCommandIds()).toEqual([])
  })

  it('[REG-13] gets nothing by saying again all that a region said, and the region stays linked', () => {
    const fra = link('fra')
    fra.dialler.send(command(1))
    vi.advanceTimersByTime(SOON_MS)
    const [mine, theirs] = createLinkSocketPair()
    ist.hub.accept(theirs, 'elsewhere')
    for (const frame of sockets(fra).near.sentFrames) mine.send(frame)
    vi.advanceTimersByTime(SOON_MS)
    expect(mine.closeCode).toBe(4401)
    expect(receivedCommandIds()).toEqual([1])
    expect(fra.dialler.isLinked()).toBe(true)
  })

  it('[REG-13] is not taken for the primary by saying again all that the primary said', () => {
    const [challenge, welcome] = sockets(link('fra')).far.sentFrames
    const evil = sites.startRegion('evil')
    const answers: Uint8Array[] = []
    vi.spyOn(evil.hub, 'accept').mockImplementation((socket) => {
      socket.onFrame((answer) => {
        answers.push(answer)
        socket.send(welcome ?? answer)
      })
      socket.send(challenge ?? new Uint8Array())
    })
    const ams = sites.startRegion('ams')
    ams.dialler.connectTo(evil.url)
    vi.advanceTimersByTime(SOON_MS)
    expect(answers).toHaveLength(1)
    expect(sockets(ams).near.closeCode).toBe(4401)
    expect(ams.dialler.isLinked()).toBe(false)
  })
})
