import { pino } from 'pino'
import { deriveKeys } from '../accounts/keys.ts'
import type { ClusterClock, LinkClient, LinkedRegion, PrimaryMessage, ReplicaMessage } from '../regions/link.ts'
import { createLinkClient } from '../regions/link-dialler.ts'
import { createLinkServer, type LinkAcceptor } from '../regions/link-hub.ts'
import { type ClosablePeerBus, createStarPeerBus } from '../regions/neighbours.ts'
import { createClusterClock } from '../regions/site-clock.ts'
import { linkPair, type PairedSocket } from './link-pair.ts'
import { Chance } from './simulated-chance.ts'

export const SECRET = 'a secret of more than thirty-two characters'
export const silence = pino({ level: 'silent' })

/** One region's part in the link, and what it heard. */
export interface LinkedSite {
  region: string
  url: string
  hub: LinkAcceptor
  dialler: LinkClient
  bus: ClosablePeerBus
  clock: ClusterClock
  heardAsHub: { from: LinkedRegion; message: ReplicaMessage }[]
  heardFromHub: PrimaryMessage[]
  /** The sockets that it dialled, each with the end that was given to the site that it reached. */
  dialled: { near: PairedSocket; far: PairedSocket; url: string }[]
  /** The network's and the process's end: nothing of it is heard of any more. */
  crash(): void
}

export interface SiteOptions {
  secret?: string
  clock?: ClusterClock
  isCandidate?: boolean
}

/** Sites whose links lie in memory, with `delayMs` one way; URLs are `http://<region>`. For fake timers. */
export class LinkedSites {
  readonly sites = new Map<string, LinkedSite>()
  private readonly delayMs: number
  /** The jitter of the retries is the same in each run. */
  private readonly chance = new Chance(1)

  constructor(delayMs = 5) {
    this.delayMs = delayMs
  }

  /** Starts a region; one of the same name that crashed before is replaced. */
  start(
    region: string,
    { secret = SECRET, clock = createClusterClock(Date.now), isCandidate = true }: SiteOptions = {},
  ) {
    const url = `http://${region}`
    const key = deriveKeys(secret).link
    const dialled: LinkedSite['dialled'] = []
    const connect = (to: string) => {
      const [near, far] = linkPair(this.delayMs)
      dialled.push({ near, far, url: to })
      const there = this.sites.get(to)
      if (there) setTimeout(() => there.hub.accept(far, region), this.delayMs)
      else far.close(1006)
      return near
    }
    const position = () => ({ txid: '', seq: 7 })
    const hub = createLinkServer({ key, region, url, code: 2, clock: clock.now, position, log: silence })
    const random = () => this.chance.next()
    const dialler = createLinkClient({
      key,
      region,
      url,
      code: 2,
      isCandidate,
      openSocket: connect,
      clock,
      log: silence,
      random,
    })
    const bus = createStarPeerBus({ region, linkServer: hub, linkClient: dialler, log: silence })
    const site: LinkedSite = {
      ...{ region, url, hub, dialler, bus, clock, dialled, heardAsHub: [], heardFromHub: [] },
      crash: () => this.crash(site),
    }
    hub.onMessage((from, message) => site.heardAsHub.push({ from, message }))
    dialler.onMessage((message) => site.heardFromHub.push(message))
    this.sites.set(url, site)
    return site
  }

  private crash(site: LinkedSite): void {
    if (this.sites.get(site.url) === site) this.sites.delete(site.url)
    const reached = [...this.sites.values()].flatMap((other) => other.dialled.filter((one) => one.url === site.url))
    for (const { near } of [...site.dialled, ...reached]) near.cut()
    site.bus.close()
    site.dialler.close()
    site.hub.close()
  }
}
