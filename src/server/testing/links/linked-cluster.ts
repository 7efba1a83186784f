import { pino } from 'pino'
import { deriveKeys } from '../../accounts/tokens/keys.ts'
import { LinkClient } from '../../regions/link/link-client.ts'
import type { PrimaryMessage, ReplicaMessage } from '../../regions/link/link-messages.ts'
import { type LinkedRegion, LinkServer } from '../../regions/link/link-server.ts'
import { StarPeerBus } from '../../regions/peer-bus.ts'
import { type ClusterClock, createClusterClock } from '../../regions/replication/cluster-clock.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { createLinkSocketPair, type PairedSocket } from './link-socket-pair.ts'

export const TEST_LINK_SECRET = 'a secret of more than thirty-two characters'
export const silentLog = pino({ level: 'silent' })

/** One region's part in the link, and what it heard. */
export interface LinkedTestRegion {
  region: string
  url: string
  linkServer: LinkServer
  linkClient: LinkClient
  bus: StarPeerBus
  clock: ClusterClock
  receivedAsPrimary: { from: LinkedRegion; message: ReplicaMessage }[]
  receivedFromPrimary: PrimaryMessage[]
  /** The sockets that it dialled, each with the end that was given to the site that it reached. */
  openedSockets: { near: PairedSocket; far: PairedSocket; url: string }[]
  /** The network's and the process's end: nothing of it is heard of any more. */
  crash(): void
}

export interface LinkedRegionOptions {
  secret?: string
  clock?: ClusterClock
  isCandidate?: boolean
}

/** Sites whose links lie in memory, with `delayMs` one way; URLs are `http://<region>`. For fake timers. */
export class LinkedCluster {
  readonly regions = new Map<string, LinkedTestRegion>()
  private readonly delayMs: number
  /** The jitter of the retries is the same in each run. */
  private readonly random = new SeededRandom(1)

  constructor(delayMs = 5) {
    this.delayMs = delayMs
  }

  /** Starts a region; one of the same name that crashed before is replaced. */
  startRegion(
    region: string,
    { secret = TEST_LINK_SECRET, clock = createClusterClock(Date.now), isCandidate = true }: LinkedRegionOptions = {},
  ) {
    const url = `http://${region}`
    const key = deriveKeys(secret).link
    const dialled: LinkedTestRegion['openedSockets'] = []
    const connect = (to: string) => {
      const [near, far] = createLinkSocketPair(this.delayMs)
      dialled.push({ near, far, url: to })
      const there = this.regions.get(to)
      if (there) setTimeout(() => there.linkServer.accept(far, region), this.delayMs)
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
      openSocket: connect,
      clock,
      log: silentLog,
      random,
    })
    const bus = new StarPeerBus({ region, linkServer: linkServer, linkClient: linkClient, log: silentLog })
    const site: LinkedTestRegion = {
      ...{
        region,
        url,
        linkServer,
        linkClient,
        bus,
        clock,
        openedSockets: dialled,
        receivedAsPrimary: [],
        receivedFromPrimary: [],
      },
      crash: () => this.crashRegion(site),
    }
    linkServer.onMessage((from, message) => site.receivedAsPrimary.push({ from, message }))
    linkClient.onMessage((message) => site.receivedFromPrimary.push(message))
    this.regions.set(url, site)
    return site
  }

  private crashRegion(site: LinkedTestRegion): void {
    if (this.regions.get(site.url) === site) this.regions.delete(site.url)
    const reached = [...this.regions.values()].flatMap((other) =>
      other.openedSockets.filter((one) => one.url === site.url),
    )
    for (const { near } of [...site.openedSockets, ...reached]) near.cut()
    site.bus.close()
    site.linkClient.close()
    site.linkServer.close()
  }
}
