import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLinkSocketPair } from '../../../testing/links/link-socket-pair.ts'
import {
  LinkedCluster,
  type LinkedRegionOptions,
  type LinkedTestRegion,
  SOON_MS,
} from '../../../testing/links/linked-cluster.ts'
import type { CommandEnvelope } from '../../database/commands/command-envelope.ts'
import { createClusterClock } from '../replication/cluster-clock.ts'
import type { ReplicaMessage } from './link-messages.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

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
  ist.linkServer.setAccepting(true)
})
afterEach(() => void vi.useRealTimers())

const link = (region: string, options?: LinkedRegionOptions) => sites.startReplica(region, ist, options)
const linkedRegions = () => ist.linkServer.regions().map((one) => one.region)
const receivedCommandIds = () =>
  ist.receivedAsPrimary.flatMap(({ message }) => (message.kind === 'command' ? [message.id] : []))

describe('a link', () => {
  it('[REG-12] links two regions with the secret, and each knows the other', () => {
    const hubs: object[] = []
    const fra = sites.startRegion('fra', { isCandidate: false })
    fra.linkClient.onLinked((linkServer) => hubs.push(linkServer))
    fra.linkClient.connectTo(ist.url)
    expect(fra.linkClient.isLinked()).toBe(false)
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.linkClient.isLinked()).toBe(true)
    expect(hubs).toEqual([{ region: 'ist', url: 'http://ist' }])
    expect(ist.linkServer.regions()).toMatchObject([{ region: 'fra', url: 'http://fra', isCandidate: false }])
    expect(fra.linkClient.roundTripMs()).toBe(10)
  })

  it('[REG-12] carries commands and answers', () => {
    const fra = link('fra')
    ist.linkServer.onMessage((from, message) => {
      if (message.kind === 'command')
        from.send({ kind: 'answer', id: message.id, answer: { done: true }, position: { txid: '', seq: 3 } })
    })
    expect(fra.linkClient.send(command(1))).toBe(true)
    vi.advanceTimersByTime(SOON_MS)
    expect(ist.receivedAsPrimary.at(-1)).toMatchObject({ from: { region: 'fra' }, message: command(1) })
    expect(fra.receivedFromPrimary).toContainEqual({
      ...{ kind: 'answer', id: 1, answer: { done: true }, position: { txid: '', seq: 3 } },
    })
  })

  it('[REG-12] is refused with another secret at either end', () => {
    const stranger = link('fra', { secret: 'the secret of another site, which is as long' })
    expect(stranger.linkClient.isLinked()).toBe(false)
    expect(stranger.openedSockets[0]?.near.closeCode).toBe(4401)
    const other = sites.startRegion('ams', { secret: 'the secret of another site, which is as long' })
    other.linkServer.setAccepting(true)
    const ber = sites.startRegion('ber')
    ber.linkClient.connectTo(other.url)
    vi.advanceTimersByTime(10 * SECOND_MS)
    expect(ber.linkClient.isLinked()).toBe(false)
    expect([...linkedRegions(), ...other.linkServer.regions()]).toEqual([])
  })

  it.each([HOUR_MS, -HOUR_MS])(
    '[REG-12] [REG-18] comes about with clocks %d ms apart, and brings the clock',
    (apart) => {
      const fra = link('fra', { clock: createClusterClock(() => Date.now() - apart) })
      expect(fra.linkClient.isLinked()).toBe(true)
      expect(fra.clock.now()).toBe(Date.now())
      expect(fra.clock.offsetMs()).toBe(apart)
    },
  )

  it('[REG-18] keeps the learnt clock when the region becomes the primary, and passes it on', () => {
    const fra = link('fra', { clock: createClusterClock(() => Date.now() - HOUR_MS) })
    ist.crash()
    fra.linkClient.connectTo(null)
    fra.linkServer.setAccepting(true)
    const ams = sites.startRegion('ams', { clock: createClusterClock(() => Date.now() + HOUR_MS) })
    ams.linkClient.connectTo(fra.url)
    vi.advanceTimersByTime(SOON_MS)
    expect([fra.clock.offsetMs(), ams.clock.offsetMs()]).toEqual([HOUR_MS, -HOUR_MS])
    expect(ams.clock.now()).toBe(fra.clock.now())
  })

  it('reports replica positions to the primary, and its own to replicas once a second', () => {
    const fra = link('fra')
    expect(ist.linkServer.regions()[0]?.position()).toBeNull()
    fra.linkClient.send({ kind: 'position', position: { txid: '', seq: 5 } })
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(ist.linkServer.regions()[0]?.position()).toEqual({ txid: '', seq: 5 })
    const positions = fra.receivedFromPrimary.filter(({ kind }) => kind === 'position')
    expect(positions).toEqual(Array(3).fill({ kind: 'position', id: 0, position: { txid: '', seq: 7 } }))
  })
})

describe('a recorded handshake', () => {
  it('[REG-13] does not authenticate a second socket, and the region stays linked', () => {
    const fra = link('fra')
    fra.linkClient.send(command(1))
    vi.advanceTimersByTime(SOON_MS)
    const [mine, theirs] = createLinkSocketPair()
    ist.linkServer.accept(theirs, 'elsewhere')
    for (const frame of fra.latestSockets().near.sentFrames) mine.send(frame)
    vi.advanceTimersByTime(SOON_MS)
    expect(mine.closeCode).toBe(4401)
    expect(receivedCommandIds()).toEqual([1])
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-13] does not authenticate a site that replays the frames of the primary', () => {
    const [challenge, welcome] = link('fra').latestSockets().far.sentFrames
    const evil = sites.startRegion('evil')
    const answers: Uint8Array[] = []
    vi.spyOn(evil.linkServer, 'accept').mockImplementation((socket) => {
      socket.onFrame((answer) => {
        answers.push(answer)
        socket.send(welcome ?? answer)
      })
      socket.send(challenge ?? new Uint8Array())
    })
    const ams = sites.startRegion('ams')
    ams.linkClient.connectTo(evil.url)
    vi.advanceTimersByTime(SOON_MS)
    expect(answers).toHaveLength(1)
    expect(ams.latestSockets().near.closeCode).toBe(4401)
    expect(ams.linkClient.isLinked()).toBe(false)
  })
})
