import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import type { LinkDialler, LinkedRegion, LinkHub, ToHub } from './link.ts'

/** How long a region may be out of reach before its people count as gone: a new primary is found sooner. */
export const GONE_MS = 6_000
/**
 * The same where it is the primary between that was lost: whoever was beyond it may be as well as before, and is heard
 * of again through the next one. With Consul that takes up to 20 s (decision 0008).
 */
export const BEYOND_MS = 25_000

export interface NeighbourOptions {
  region: string
  hub: LinkHub
  dialler: LinkDialler
  log: Logger
}

/** A bus that can be left: nobody is told of regions that go after that. */
export interface Neighbours extends Bus {
  close(): void
}

/**
 * The bus over the link, a star around the primary: it hands on what one region says to others and tells all who is
 * linked. Messages of one region to another keep their order while it is reachable; whoever comes again, be it after a
 * restart within a moment, has left before.
 */
export function createNeighbours(options: NeighbourOptions): Neighbours {
  return new StarBus(options)
}

class StarBus implements Neighbours {
  readonly region: string
  private readonly hub: LinkHub
  private readonly dialler: LinkDialler
  private readonly log: Logger
  private readonly topics = new Map<string, ((from: string, payload: unknown) => void)[]>()
  private readonly came: ((region: string) => void)[] = []
  private readonly went: ((region: string) => void)[] = []
  private readonly reachable = new Set<string>()
  private readonly leaving = new Map<string, { goneAt: number; timer: NodeJS.Timeout }>()
  /** Whom the primary says to be linked, while we are linked to it. */
  private beyond: string[] = []
  /** The name of the primary that we are linked to, or were last. */
  private primary: string | null = null

  constructor({ region, hub, dialler, log }: NeighbourOptions) {
    this.region = region
    this.hub = hub
    this.dialler = dialler
    this.log = log
    hub.onLinked(() => this.spread())
    hub.onUnlinked(() => this.spread())
    hub.onMessage((from, message) => this.passOn(from, message))
    dialler.onLinked((primary) => {
      this.primary = primary.region
    })
    dialler.onUnlinked(() => this.hearOf([], BEYOND_MS))
    dialler.onMessage((message) => {
      if (message.kind === 'regions') this.hearOf(message.regions, GONE_MS)
      else if (message.kind === 'said') this.deliver(message.from, message.topic, message.payload)
    })
  }

  others = () => [...this.reachable]
  onJoined = (listener: (region: string) => void) => void this.came.push(listener)
  onGone = (listener: (region: string) => void) => void this.went.push(listener)

  on(topic: string, listener: (from: string, payload: unknown) => void): void {
    const listeners = this.topics.get(topic) ?? []
    this.topics.set(topic, [...listeners, listener])
  }

  send(to: string | 'all', topic: string, payload: unknown): void {
    this.hand(this.region, to, topic, payload)
    if (to === 'all' || this.beyond.includes(to)) this.dialler.send({ kind: 'said', to, topic, payload })
  }

  close(): void {
    for (const { timer } of this.leaving.values()) clearTimeout(timer)
    this.leaving.clear()
    this.came.length = 0
    this.went.length = 0
  }

  /** The primary's part: what a region said to one other, or to all. */
  private passOn(from: LinkedRegion, message: ToHub): void {
    if (message.kind !== 'said') return
    const { to, topic, payload } = message
    this.hand(from.region, to, topic, payload)
    if (to === 'all' || to === this.region) this.deliver(from.region, topic, payload)
  }

  /** To those who are linked to us, but never back. */
  private hand(from: string, to: string | 'all', topic: string, payload: unknown): void {
    for (const other of this.hub.regions()) {
      if (other.region !== from && (to === 'all' || to === other.region))
        other.send({ kind: 'said', from, topic, payload })
    }
  }

  private deliver(from: string, topic: string, payload: unknown): void {
    if (!this.reachable.has(from)) return
    for (const tell of this.topics.get(topic) ?? []) {
      try {
        tell(from, payload)
      } catch (error) {
        // What another region's code said must not end this one.
        this.log.error({ err: error, from, topic }, 'what a region said could not be taken in')
      }
    }
  }

  /** Who is linked to us has changed: first everyone learns it, so that whatever is said then comes from someone known. */
  private spread(): void {
    const linked = this.hub.regions()
    const regions = [this.region, ...linked.map((one) => one.region)]
    for (const one of linked) one.send({ kind: 'regions', regions })
    this.compare(GONE_MS)
  }

  private hearOf(regions: string[], goneMs: number): void {
    this.beyond = regions.filter((one) => one !== this.region)
    this.compare(goneMs)
  }

  private compare(goneMs: number): void {
    const now = new Set([...this.beyond, ...this.hub.regions().map((one) => one.region)])
    const missing = [...this.reachable, ...this.leaving.keys()].filter((region) => !now.has(region))
    for (const region of missing) this.leave(region, region === this.primary ? GONE_MS : goneMs)
    for (const region of now) if (!this.reachable.has(region)) this.join(region)
  }

  private join(region: string): void {
    clearTimeout(this.leaving.get(region)?.timer)
    this.leaving.delete(region)
    this.reachable.add(region)
    for (const tell of this.came) tell(region)
  }

  /** Whoever was leaving already goes no later than it would have. */
  private leave(region: string, goneMs: number): void {
    this.reachable.delete(region)
    const goneAt = performance.now() + goneMs
    const known = this.leaving.get(region)
    if (known && known.goneAt <= goneAt) return
    clearTimeout(known?.timer)
    const gone = () => {
      this.leaving.delete(region)
      for (const tell of this.went) tell(region)
    }
    this.leaving.set(region, { goneAt, timer: setTimeout(gone, goneMs).unref() })
  }
}
