import type { Logger } from 'pino'
import type { LinkClient, LinkedRegion, LinkServer, ReplicaMessage } from './link/link-protocol.ts'
import type { PeerBus } from './peer-bus.ts'

/** How long a region may be out of reach before its people count as gone: a new primary is found sooner. */
export const PEER_GONE_MS = 6_000
/**
 * The same where it is the primary between that was lost: whoever was beyond it may be as well as before, and is heard
 * of again through the next one. With Consul that takes up to 20 s (decision 0008).
 */
export const INDIRECT_PEER_GONE_MS = 25_000

export interface StarPeerBusOptions {
  region: string
  linkServer: LinkServer
  linkClient: LinkClient
  log: Logger
}

/** A bus that can be left: nobody is told of regions that go after that. */
export interface ClosablePeerBus extends PeerBus {
  close(): void
}

/**
 * The bus over the link, a star around the primary: it hands on what one region says to others and tells all who is
 * linked. Messages of one region to another keep their order while it is reachable; whoever comes again, be it after a
 * restart within a moment, has left before.
 */
export function createStarPeerBus(options: StarPeerBusOptions): ClosablePeerBus {
  return new StarPeerBus(options)
}

class StarPeerBus implements ClosablePeerBus {
  readonly region: string
  private readonly linkServer: LinkServer
  private readonly linkClient: LinkClient
  private readonly log: Logger
  private readonly topicListeners = new Map<string, ((from: string, payload: unknown) => void)[]>()
  private readonly joinedListeners: ((region: string) => void)[] = []
  private readonly goneListeners: ((region: string) => void)[] = []
  private readonly reachablePeers = new Set<string>()
  private readonly leavingPeers = new Map<string, { goneAt: number; timer: NodeJS.Timeout }>()
  /** Whom the primary says to be linked, while we are linked to it. */
  private indirectPeers: string[] = []
  /** The name of the primary that we are linked to, or were last. */
  private primaryRegion: string | null = null

  constructor({ region, linkServer, linkClient, log }: StarPeerBusOptions) {
    this.region = region
    this.linkServer = linkServer
    this.linkClient = linkClient
    this.log = log
    linkServer.onLinked(() => this.broadcastMembership())
    linkServer.onUnlinked(() => this.broadcastMembership())
    linkServer.onMessage((from, message) => this.relay(from, message))
    linkClient.onLinked((primary) => {
      this.primaryRegion = primary.region
    })
    linkClient.onUnlinked(() => this.setIndirectPeers([], INDIRECT_PEER_GONE_MS))
    linkClient.onMessage((message) => {
      if (message.kind === 'regions') this.setIndirectPeers(message.regions, PEER_GONE_MS)
      else if (message.kind === 'relay') this.deliver(message.from, message.topic, message.payload)
    })
  }

  peers = () => [...this.reachablePeers]
  onJoined = (listener: (region: string) => void) => void this.joinedListeners.push(listener)
  onGone = (listener: (region: string) => void) => void this.goneListeners.push(listener)

  on(topic: string, listener: (from: string, payload: unknown) => void): void {
    const listeners = this.topicListeners.get(topic) ?? []
    this.topicListeners.set(topic, [...listeners, listener])
  }

  send(to: string | 'all', topic: string, payload: unknown): void {
    this.forward(this.region, to, topic, payload)
    if (to === 'all' || this.indirectPeers.includes(to)) this.linkClient.send({ kind: 'relay', to, topic, payload })
  }

  close(): void {
    for (const { timer } of this.leavingPeers.values()) clearTimeout(timer)
    this.leavingPeers.clear()
    this.joinedListeners.length = 0
    this.goneListeners.length = 0
  }

  /** The primary's part: what a region said to one other, or to all. */
  private relay(from: LinkedRegion, message: ReplicaMessage): void {
    if (message.kind !== 'relay') return
    const { to, topic, payload } = message
    this.forward(from.region, to, topic, payload)
    if (to === 'all' || to === this.region) this.deliver(from.region, topic, payload)
  }

  /** To those who are linked to us, but never back. */
  private forward(from: string, to: string | 'all', topic: string, payload: unknown): void {
    for (const other of this.linkServer.regions()) {
      if (other.region !== from && (to === 'all' || to === other.region))
        other.send({ kind: 'relay', from, topic, payload })
    }
  }

  private deliver(from: string, topic: string, payload: unknown): void {
    if (!this.reachablePeers.has(from)) return
    for (const tell of this.topicListeners.get(topic) ?? []) {
      try {
        tell(from, payload)
      } catch (error) {
        // What another region's code said must not end this one.
        this.log.error({ err: error, from, topic }, 'what a region said could not be taken in')
      }
    }
  }

  /** Who is linked to us has changed: first everyone learns it, so that whatever is said then comes from someone known. */
  private broadcastMembership(): void {
    const linked = this.linkServer.regions()
    const regions = [this.region, ...linked.map((one) => one.region)]
    for (const one of linked) one.send({ kind: 'regions', regions })
    this.reconcilePeers(PEER_GONE_MS)
  }

  private setIndirectPeers(regions: string[], goneMs: number): void {
    this.indirectPeers = regions.filter((one) => one !== this.region)
    this.reconcilePeers(goneMs)
  }

  private reconcilePeers(goneMs: number): void {
    const now = new Set([...this.indirectPeers, ...this.linkServer.regions().map((one) => one.region)])
    const missing = [...this.reachablePeers, ...this.leavingPeers.keys()].filter((region) => !now.has(region))
    for (const region of missing) this.scheduleGone(region, region === this.primaryRegion ? PEER_GONE_MS : goneMs)
    for (const region of now) if (!this.reachablePeers.has(region)) this.markJoined(region)
  }

  private markJoined(region: string): void {
    clearTimeout(this.leavingPeers.get(region)?.timer)
    this.leavingPeers.delete(region)
    this.reachablePeers.add(region)
    for (const tell of this.joinedListeners) tell(region)
  }

  /** Whoever was leaving already goes no later than it would have. */
  private scheduleGone(region: string, goneMs: number): void {
    this.reachablePeers.delete(region)
    const goneAt = performance.now() + goneMs
    const known = this.leavingPeers.get(region)
    if (known && known.goneAt <= goneAt) return
    clearTimeout(known?.timer)
    const gone = () => {
      this.leavingPeers.delete(region)
      for (const tell of this.goneListeners) tell(region)
    }
    this.leavingPeers.set(region, { goneAt, timer: setTimeout(gone, goneMs).unref() })
  }
}
