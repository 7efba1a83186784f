import type { Logger } from 'pino'
import type { LinkClient } from './link/link-client.ts'
import type { ReplicaMessage } from './link/link-messages.ts'
import type { LinkedRegion, LinkServer } from './link/link-server.ts'

/** Messages between regions besides commands: MessagePack values that only repeat state kept elsewhere. */
export interface PeerBus {
  /** This region's name. */
  readonly region: string
  /** The other regions that can be reached now. */
  peers(): string[]
  /**
   * To one region, or to all others. Messages that cannot be delivered are dropped: a peer that joins gets the whole state.
   * A message larger than a frame (a little less than 1 MiB) is not delivered, and logged as an error.
   */
  send(to: string | 'all', topic: string, payload: unknown): void
  /** Payloads may come from older or newer code: listeners validate them. */
  on(topic: string, listener: (from: string, payload: unknown) => void): void
  /** A region can be reached, for the first time or again: send it the whole state. */
  onJoined(listener: (region: string) => void): void
  /** A region could not be reached for so long (PEER_GONE_MS) that its users count as offline. */
  onGone(listener: (region: string) => void): void
}

/** The bus of a single node. */
export function createEmptyPeerBus(region: string): PeerBus {
  return { region, peers: () => [], send: () => {}, on: () => {}, onJoined: () => {}, onGone: () => {} }
}

/** A region that is unreachable for this long is gone; finding a new primary takes less. */
export const PEER_GONE_MS = 6_000
/**
 * The same for regions behind a lost primary: they may be healthy, and are reachable again through the next primary. With
 * Consul that takes up to 20 s (decision 0008).
 */
export const INDIRECT_PEER_GONE_MS = 25_000

export interface StarPeerBusOptions {
  region: string
  linkServer: Pick<LinkServer, 'regions' | 'onMessage' | 'onLinked' | 'onUnlinked'>
  linkClient: Pick<LinkClient, 'send' | 'onMessage' | 'onLinked' | 'onUnlinked'>
  log: Logger
}

/**
 * A star around the primary, which relays messages and announces the linked regions. Messages from one region to another
 * keep their order while it is reachable. A region that restarts counts as gone before it joins again.
 */
export class StarPeerBus implements PeerBus {
  readonly region: string
  private readonly linkServer: StarPeerBusOptions['linkServer']
  private readonly linkClient: StarPeerBusOptions['linkClient']
  private readonly log: Logger
  private readonly topicListeners = new Map<string, ((from: string, payload: unknown) => void)[]>()
  private readonly joinedListeners: ((region: string) => void)[] = []
  private readonly goneListeners: ((region: string) => void)[] = []
  private readonly reachablePeers = new Set<string>()
  private readonly leavingPeers = new Map<string, { goneAt: number; timer: NodeJS.Timeout }>()
  /** The regions that the primary announced, while this region is linked to it. */
  private indirectPeers: string[] = []
  /** The primary that this region is linked to, or was last. */
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

  peers(): string[] {
    return [...this.reachablePeers]
  }

  onJoined(listener: (region: string) => void): void {
    this.joinedListeners.push(listener)
  }

  onGone(listener: (region: string) => void): void {
    this.goneListeners.push(listener)
  }

  on(topic: string, listener: (from: string, payload: unknown) => void): void {
    const listeners = this.topicListeners.get(topic) ?? []
    this.topicListeners.set(topic, [...listeners, listener])
  }

  send(to: string | 'all', topic: string, payload: unknown): void {
    this.forward(this.region, to, topic, payload)
    if (to === 'all' || this.indirectPeers.includes(to)) this.linkClient.send({ kind: 'relay', to, topic, payload })
  }

  /** Calls no listener any more. */
  close(): void {
    for (const { timer } of this.leavingPeers.values()) clearTimeout(timer)
    this.leavingPeers.clear()
    this.joinedListeners.length = 0
    this.goneListeners.length = 0
  }

  /** On the primary: a message of one region to another, or to all. */
  private relay(from: LinkedRegion, message: ReplicaMessage): void {
    if (message.kind !== 'relay') return
    const { to, topic, payload } = message
    this.forward(from.region, to, topic, payload)
    if (to === 'all' || to === this.region) this.deliver(from.region, topic, payload)
  }

  /** To linked regions, except the sender. */
  private forward(from: string, to: string | 'all', topic: string, payload: unknown): void {
    for (const other of this.linkServer.regions()) {
      if (other.region !== from && (to === 'all' || to === other.region))
        other.send({ kind: 'relay', from, topic, payload })
    }
  }

  private deliver(from: string, topic: string, payload: unknown): void {
    if (!this.reachablePeers.has(from)) return
    for (const listener of this.topicListeners.get(topic) ?? []) {
      try {
        listener(from, payload)
      } catch (error) {
        // A message of another region's code must not end this process.
        this.log.error({ err: error, from, topic }, 'peer message handler failed')
      }
    }
  }

  /** Announces the linked regions before anything is relayed, so that every sender is known to its receivers. */
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
    for (const listener of this.joinedListeners) listener(region)
  }

  /** A timer that already runs is not extended. */
  private scheduleGone(region: string, goneMs: number): void {
    this.reachablePeers.delete(region)
    const goneAt = performance.now() + goneMs
    const known = this.leavingPeers.get(region)
    if (known && known.goneAt <= goneAt) return
    clearTimeout(known?.timer)
    const gone = () => {
      this.leavingPeers.delete(region)
      for (const listener of this.goneListeners) listener(region)
    }
    this.leavingPeers.set(region, { goneAt, timer: setTimeout(gone, goneMs).unref() })
  }
}
