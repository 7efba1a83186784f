import { pino } from 'pino'
import { deriveKeys } from '../../accounts/tokens/keys.ts'
import { createLinkClient } from '../../regions/link/link-client.ts'
import type {
  ClusterClock,
  LinkClient,
  LinkedRegion,
  PrimaryMessage,
  ReplicaMessage,
} from '../../regions/link/link-protocol.ts'
import { createLinkServer, type LinkAcceptor } from '../../regions/link/link-server.ts'
import { createClusterClock } from '../../regions/replication/cluster-clock.ts'
import { type ClosablePeerBus, createStarPeerBus } from '../../regions/star-peer-bus.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { createLinkSocketPair, type PairedSocket } from './link-socket-pair.ts'

export const TEST_LINK_SECRET = 'a secret of more than thirty-two characters'
export const silentLog = pino({ level: 'silent' })

/** One region's part in the link, and what it heard. */
export interface LinkedTestRegion {
  region: string
  url: string
  hub: LinkAcceptor
  dialler: LinkClient
  bus: ClosablePeerBus
  clock: ClusterClock
  receivedAsHub: { from: LinkedRegion; message: ReplicaMessage }[]
  receivedFromHub: PrimaryMessage[]
  /** The sockets that it dialled, each with the end that was given to the site that it reached. */
  dialledSockets: { near: PairedSocket; far: PairedSocket; url: string }[]
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
    const dialled: LinkedTestRegion['dialledSockets'] = []
    const connect = (to: string) => {
      const [near, far] = createLinkSocketPair(this.delayMs)
      dialled.push({ near, far, url: to })
      const there = this.regions.get(to)
      if (there) setTimeout(() => there.hub.accept(far, region), this.delayMs)
      else far.close(1006)
      return near
    }
    const position = () => ({ txid: '', seq: 7 })
    const hub = createLinkServer({ key, region, url, code: 2, clock: clock.now, position, log: silentLog })
    const random = () => this.random.next()
    const dialler = createLinkClient({
      key,
      region,
      url,
      code: 2,
      isCandidate,
      openSocket: connect,
      clock,
      log: silentLog,
      random,
    })
    const bus = createStarPeerBus({ region, linkServer: hub, linkClient: dialler, log: silentLog })
    const site: LinkedTestRegion = {
      ...{ region, url, hub, dialler, bus, clock, dialledSockets: dialled, receivedAsHub: [], receivedFromHub: [] },
      crash: () => this.crashRegion(site),
    }
    hub.onMessage((from, message) => site.receivedAsHub.push({ from, message }))
    dialler.onMessage((message) => site.receivedFromHub.push(message))
    this.regions.set(url, site)
    return site
  }

  private crashRegion(site: LinkedTestRegion): void {
    if (this.regions.get(site.url) === site) this.regions.delete(site.url)
    const reached = [...this.regions.values()].flatMap((other) =>
      other.dialledSockets.filter((one) => one.url === site.url),
    )
    for (const { near } of [...site.dialledSockets, ...reached]) near.cut()
    site.bus.close()
    site.dialler.close()
    site.hub.close()
  }
}
