import * as v from 'valibot'
import { Id } from '../../shared/protocol/define.ts'
import { CloseCode } from '../../shared/protocol/frame.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { DUPLICATE_ANSWER_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import type { Presence } from '../presence/presence.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import { type Connection, isOpen, type OpenConnection } from './connection.ts'
import type { Handler } from './handler.ts'
import { encodeEphemeral, type Publisher } from './publisher.ts'

const DUPLICATE_MESSAGE = 'Başka bir sekmede ya da tarayıcıda zaten bağlısınız.'
const TAKEN_OVER_MESSAGE = 'Oturumunuz başka bir yerde devam ediyor.'
/** More connections than this of one person, and the oldest go: each newer one asks all the older ones. */
const MAX_CONNECTIONS_PER_USER = 16
/** What one region asks another is gathered for this long, and asked this many at a time. */
const PROBE_WINDOW_MS = 20
const MAX_PROBES_PER_MESSAGE = 1_000

const PROBE_TOPIC = 'duplicates.probe'
const PROBE_ANSWER_TOPIC = 'duplicates.probeAnswer'
const TAKE_OVER_TOPIC = 'duplicates.takeOver'

/** A connection of one region asks another region for older ones of its person. */
const Probe = v.object({
  userId: Id,
  connection: Id,
  tabId: v.nullable(v.string()),
  /** When it arrived; by this and by its region's name all regions agree on who came first. */
  arrivedAt: v.number(),
  /** How many connections of this person there are in the region that asks. */
  open: v.number(),
})
type Probe = v.InferOutput<typeof Probe>
const Probes = v.pipe(v.array(Probe), v.maxLength(MAX_PROBES_PER_MESSAGE))
/** An older connection is alive. */
const ProbeAnswer = v.object({ userId: Id, connection: Id })
/** Who arrived before this is to end. */
const TakeOver = v.object({ userId: Id, at: v.number() })

/**
 * Whoever is here twice. The same tab replaces its older connection silently. Any other connection of this person is
 * asked, and only if it answers within a second is the newer one told (docs/product.md, "Accounts"). In other
 * regions they are asked over the bus, as soon as presence tells of them there.
 */
export class DuplicateConnections {
  private readonly presence: Presence
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly bus: PeerBus
  private readonly pendingProbes = new Map<string, Probe[]>()
  private probeTimer: NodeJS.Timeout | null = null

  constructor(world: { presence: Presence; publisher: Publisher; clock: () => number }, bus: PeerBus) {
    this.presence = world.presence
    this.publisher = world.publisher
    this.clock = world.clock
    this.bus = bus
    this.presence.onRemoteChange((userId, region) => this.onOtherRegionChange(userId, region))
    bus.on(PROBE_TOPIC, (from, payload) => this.onProbes(from, payload))
    bus.on(PROBE_ANSWER_TOPIC, (_, payload) => this.onProbeAnswer(payload))
    bus.on(TAKE_OVER_TOPIC, (_, payload) => this.onTakeOver(payload))
  }

  /** A connection said hello. */
  checkNewConnection(newer: Connection): void {
    if (!isOpen(newer)) return
    const { identity } = newer.state
    const others = this.presence.otherConnectionsOf(newer) // the oldest first
    const tooMany = others.splice(0, Math.max(0, others.length + 1 - MAX_CONNECTIONS_PER_USER))
    for (const oldest of tooMany) this.disconnect(oldest, 'too many connections')
    for (const older of others) {
      if (isSameTab(older, identity.tabId)) this.disconnect(older, 'the same tab came back')
      else this.probeConnection(older, () => this.notifyDuplicate(newer))
    }
    const { userId } = identity.viewer
    for (const region of this.presence.otherRegionsOf(userId)) this.queueProbe(region, userId, newer)
  }

  /** A connection of this person has gone, wherever: whoever was told of it and is alone now may go on. */
  notifyIfAlone(userId: UserId): void {
    const [last, ...more] = this.presence.connectionsOf(userId)
    if (!last?.state.isDuplicateNotified || more.length || this.presence.otherRegionsOf(userId).length) return
    last.state.isDuplicateNotified = false
    this.publisher.enqueue(last, encodeEphemeral('duplicateConnectionResolved', {}))
  }

  /** The person chose to go on: the older connections end in all regions, and the client of this one goes home. */
  takeOver(connection: Connection): void {
    for (const older of this.presence.otherConnectionsOf(connection)) this.forceDisconnect(older)
    const userId = connection.identity?.viewer.userId
    if (userId !== undefined) this.bus.send('all', TAKE_OVER_TOPIC, { userId, at: this.clock() })
  }

  /** Another region has this person too, or has them no more. */
  private onOtherRegionChange(userId: UserId, region: string): void {
    if (!this.presence.otherRegionsOf(userId).includes(region)) this.notifyIfAlone(userId)
    else for (const connection of this.presence.connectionsOf(userId)) this.queueProbe(region, userId, connection)
  }

  private queueProbe(region: string, userId: UserId, { id, state }: OpenConnection): void {
    const open = this.presence.connectionsOf(userId).length
    const asks = this.pendingProbes.get(region) ?? []
    this.pendingProbes.set(region, asks)
    asks.push({ userId, connection: id, tabId: state.identity.tabId, arrivedAt: state.helloAt, open })
    this.probeTimer ??= setTimeout(() => this.sendProbes(), PROBE_WINDOW_MS).unref()
  }

  private sendProbes(): void {
    this.probeTimer = null
    for (const [region, asks] of this.pendingProbes) {
      while (asks.length) this.bus.send(region, PROBE_TOPIC, asks.splice(0, MAX_PROBES_PER_MESSAGE))
    }
    this.pendingProbes.clear()
  }

  private onProbes(from: string, payload: unknown): void {
    const parsed = v.safeParse(Probes, payload)
    if (!parsed.success) return
    for (const ask of parsed.output) {
      const { userId, connection } = ask
      const older = this.presence.connectionsOf(userId).filter((own) => this.isOlderThan(own, ask.arrivedAt, from))
      const tooMany = older.splice(0, Math.max(0, older.length + ask.open - MAX_CONNECTIONS_PER_USER))
      for (const oldest of tooMany) this.disconnect(oldest, 'too many connections')
      for (const own of older) {
        if (isSameTab(own, ask.tabId)) this.disconnect(own, 'the same tab came back')
        else this.probeConnection(own, () => this.bus.send(from, PROBE_ANSWER_TOPIC, { userId, connection }))
      }
    }
  }

  private onProbeAnswer(payload: unknown): void {
    const parsed = v.safeParse(ProbeAnswer, payload)
    if (!parsed.success) return
    const { userId, connection } = parsed.output
    const newer = this.presence.connectionsOf(userId).find(({ id }) => id === connection)
    if (newer) this.notifyDuplicate(newer)
  }

  private onTakeOver(payload: unknown): void {
    const parsed = v.safeParse(TakeOver, payload)
    if (!parsed.success) return
    for (const own of this.presence.connectionsOf(parsed.output.userId)) {
      if (own.state.helloAt < parsed.output.at) this.forceDisconnect(own)
    }
  }

  /** Whether our own connection arrived before one of another region. */
  private isOlderThan({ state: { helloAt } }: OpenConnection, theirs: number, region: string): boolean {
    return helloAt < theirs || (helloAt === theirs && this.bus.region < region)
  }

  /** Calls `onAlive` when the older connection answers in time and is still open then. */
  private probeConnection(older: Connection, onAlive: () => void): void {
    const askedAt = this.clock()
    older.probe(() => {
      if (isOpen(older) && this.clock() - askedAt <= DUPLICATE_ANSWER_TIMEOUT_MS) onAlive()
    })
  }

  private notifyDuplicate(newer: Connection): void {
    if (!isOpen(newer)) return
    newer.state.isDuplicateNotified = true
    this.publisher.enqueue(newer, encodeEphemeral('duplicateConnection', { message: DUPLICATE_MESSAGE }))
  }

  private forceDisconnect(older: Connection): void {
    this.publisher.enqueue(older, encodeEphemeral('forceDisconnect', { message: TAKEN_OVER_MESSAGE }))
    this.disconnect(older, 'taken over')
  }

  private disconnect(older: Connection, reason: string): void {
    this.presence.removeConnection(older, 'disconnected')
    this.publisher.endConnection(older, CloseCode.replaced, reason)
  }
}

export const confirmDuplicateConnection: Handler<'confirmDuplicateConnection'> = (world, connection) => {
  world.duplicates.takeOver(connection)
  return { success: true }
}

function isSameTab({ state }: OpenConnection, tabId: string | null): boolean {
  return Boolean(tabId) && tabId === state.identity.tabId
}
