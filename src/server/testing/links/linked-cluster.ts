import { pino } from 'pino'
import { vi } from 'vitest'
import { deriveKeys } from '../../kernel/keys.ts'
import { LinkClient } from '../../kernel/regions/link/link-client.ts'
import type { PrimaryMessage, ReplicaMessage } from '../../kernel/regions/link/link-messages.ts'
import { type LinkedRegion, LinkServer } from '../../kernel/regions/link/link-server.ts'
import { StarPeerBus } from '../../kernel/regions/peer-bus.ts'
import { type ClusterClock, createClusterClock } from '../../kernel/regions/replication/cluster-clock.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { createLinkSocketPair, type PairedSocket } from './link-socket-pair.ts'

export const TEST_LINK_SECRET = 'a secret of more than thirty-two characters'
export const silentLog = pino({ level: 'silent' })

/** Longer than a handshake with a latency of 5 ms. */
export const SOON_MS = 100

interface OpenedSocket {
  near: PairedSocket
  far: PairedSocket
  url: string
}

/** One region's link client, link server and bus, with the messages that they received. */
export interface LinkedTestRegion {
  region: string
  url: string
  linkServer: LinkServer
  linkClient: LinkClient
  bus: StarPeerBus
  clock: ClusterClock
  receivedAsPrimary: { from: LinkedRegion; message: ReplicaMessage }[]
  receivedFromPrimary: PrimaryMessage[]
  /** The sockets that this region opened: its own end and the end of the accepting region. */
  openedSockets: OpenedSocket[]
  /** The sockets of the latest attempt. */
  latestSockets(): OpenedSocket
  /** Ends the process and cuts its network, without a close. */
  crash(): void
}

export interface LinkedRegionOptions {
  secret?: string
  clock?: ClusterClock
  isCandidate?: boolean
}

/** Regions linked in memory, with a one-way delay of `delayMs`; URLs are `http://<region>`. For fake timers. */
export class LinkedCluster {
  readonly regions = new Map<string, LinkedTestRegion>()
  private readonly delayMs: number
  /** Seeded, so that the jitter of retries is the same in each run. */
  private readonly random = new SeededRandom(1)

  constructor(delayMs = 5) {
    this.delayMs = delayMs
  }

  /** Starts a region, or replaces a crashed one of the same name. */
  startRegion(
    region: string,
    { secret = TEST_LINK_SECRET, clock = createClusterClock(Date.now), isCandidate = true }: LinkedRegionOptions = {},
  ): LinkedTestRegion {
    const url = `http://${region}`
    const self = { key: deriveKeys(secret).link, region, url, migrationCount: 2, log: silentLog }
    const openedSockets: OpenedSocket[] = []
    const openSocket = (serverUrl: string) => {
      const opened = this.openSocket(region, serverUrl)
      openedSockets.push(opened)
      return opened.near
    }
    const linkServer = new LinkServer({ ...self, clock: clock.now, position: () => ({ txid: '', seq: 7 }) })
    const linkClient = new LinkClient({ ...self, isCandidate, openSocket, clock, random: () => this.random.next() })
    const bus = new StarPeerBus({ region, linkServer, linkClient, log: silentLog })
    const linkedRegion: LinkedTestRegion = {
      ...{ region, url, linkServer, linkClient, bus, clock, openedSockets },
      receivedAsPrimary: [],
      receivedFromPrimary: [],
      latestSockets: () => latestOf(openedSockets),
      crash: () => this.crashRegion(linkedRegion),
    }
    linkServer.onMessage((from, message) => linkedRegion.receivedAsPrimary.push({ from, message }))
    linkClient.onMessage((message) => linkedRegion.receivedFromPrimary.push(message))
    this.regions.set(url, linkedRegion)
    return linkedRegion
  }

  /** Starts a region and links it to the primary. Advances the fake timers until the handshake is over. */
  startReplica(region: string, primary: LinkedTestRegion, options: LinkedRegionOptions = {}): LinkedTestRegion {
    const replica = this.startRegion(region, options)
    replica.linkClient.connectTo(primary.url)
    vi.advanceTimersByTime(SOON_MS)
    return replica
  }

  private openSocket(region: string, url: string): OpenedSocket {
    const [near, far] = createLinkSocketPair(this.delayMs)
    const server = this.regions.get(url)
    if (server) setTimeout(() => server.linkServer.accept(far, region), this.delayMs)
    else far.close(1006)
    return { near, far, url }
  }

  private crashRegion(crashed: LinkedTestRegion): void {
    if (this.regions.get(crashed.url) === crashed) this.regions.delete(crashed.url)
    const incomingSockets = [...this.regions.values()].flatMap((other) =>
      other.openedSockets.filter((socket) => socket.url === crashed.url),
    )
    for (const { near } of [...crashed.openedSockets, ...incomingSockets]) near.cut()
    crashed.bus.close()
    crashed.linkClient.close()
    crashed.linkServer.close()
  }
}

function latestOf(sockets: readonly OpenedSocket[]): OpenedSocket {
  const latest = sockets.at(-1)
  if (!latest) throw new Error('no socket was opened')
  return latest
}
