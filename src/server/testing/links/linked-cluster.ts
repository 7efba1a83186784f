import { pino } from 'pino'
import { deriveKeys } from '../../keys.ts'
import { LinkClient } from '../../regions/link/link-client.ts'
import type { PrimaryMessage, ReplicaMessage } from '../../regions/link/link-messages.ts'
import { type LinkedRegion, LinkServer } from '../../regions/link/link-server.ts'
import { StarPeerBus } from '../../regions/peer-bus.ts'
import { type ClusterClock, createClusterClock } from '../../regions/replication/cluster-clock.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { createLinkSocketPair, type PairedSocket } from './link-socket-pair.ts'

export const TEST_LINK_SECRET = 'a secret of more than thirty-two characters'
export const silentLog = pino({ level: 'silent' })

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
  openedSockets: { near: PairedSocket; far: PairedSocket; url: string }[]
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
  ) {
    const url = `http://${region}`
    const key = deriveKeys(secret).link
    const openedSockets: LinkedTestRegion['openedSockets'] = []
    const openSocket = (serverUrl: string) => {
      const [near, far] = createLinkSocketPair(this.delayMs)
      openedSockets.push({ near, far, url: serverUrl })
      const server = this.regions.get(serverUrl)
      if (server) setTimeout(() => server.linkServer.accept(far, region), this.delayMs)
      else far.close(1006)
      return near
    }
    const position = () => ({ txid: '', seq: 7 })
    const linkServer = new LinkServer({
      key,
      region,
      url,
      migrationCount: 2,
      clock: clock.now,
      position,
      log: silentLog,
    })
    const random = () => this.random.next()
    const linkClient = new LinkClient({
      key,
      region,
      url,
      migrationCount: 2,
      isCandidate,
      openSocket,
      clock,
      log: silentLog,
      random,
    })
    const bus = new StarPeerBus({ region, linkServer, linkClient, log: silentLog })
    const linkedRegion: LinkedTestRegion = {
      ...{
        region,
        url,
        linkServer,
        linkClient,
        bus,
        clock,
        openedSockets,
        receivedAsPrimary: [],
        receivedFromPrimary: [],
      },
      crash: () => this.crashRegion(linkedRegion),
    }
    linkServer.onMessage((from, message) => linkedRegion.receivedAsPrimary.push({ from, message }))
    linkClient.onMessage((message) => linkedRegion.receivedFromPrimary.push(message))
    this.regions.set(url, linkedRegion)
    return linkedRegion
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
