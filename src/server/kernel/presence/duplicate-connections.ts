import * as v from 'valibot'
import { Id } from '../../../shared/protocol/define.ts'
import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { DUPLICATE_ANSWER_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import { type Connection, isOpen, type OpenConnection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import type { PeerBus } from '../regions/peer-bus.ts'
import type { Presence } from './presence.ts'

const DUPLICATE_MESSAGE = 'Başka bir sekmede ya da tarayıcıda zaten bağlısın.'
const TAKEN_OVER_MESSAGE = 'Oturumun başka bir yerde devam ediyor.'
/** The oldest connections beyond this are closed; a new connection probes all older ones, so their number is bounded. */
const MAX_CONNECTIONS_PER_USER = 16
/** Probes to another region are collected for this long, then sent in messages of at most this many. */
const PROBE_WINDOW_MS = 20
const MAX_PROBES_PER_MESSAGE = 1_000

const PROBE_TOPIC = 'duplicates.probe'
const PROBE_ANSWER_TOPIC = 'duplicates.probeAnswer'
const TAKE_OVER_TOPIC = 'duplicates.takeOver'

/** A connection asks another region for older connections of its user. */
const Probe = v.object({
  userId: Id,
  connection: Id,
  tabId: v.nullable(v.string()),
  /** Time of hello in epoch milliseconds. With the region's name as tie-break, all regions agree which is older. */
  arrivedAt: v.number(),
  /** Connections of this user in the asking region. */
  open: v.number(),
})
type Probe = v.InferOutput<typeof Probe>
const Probes = v.pipe(v.array(Probe), v.maxLength(MAX_PROBES_PER_MESSAGE))
/** An older connection answered its probe. */
const ProbeAnswer = v.object({ userId: Id, connection: Id })
/** Connections whose hello was before `at` are closed. */
const TakeOver = v.object({ userId: Id, at: v.number() })

/**
 * Several connections of one user. The same tab replaces its older connection silently. Other connections are pinged;
 * only if one answers within a second is the newer one notified (docs/product.md, "Accounts"). Connections in other
 * regions are probed over the peer bus once presence shows the user there.
 */
export class DuplicateConnections {
  private readonly presence: Presence
  private readonly publisher: Publisher
  private readonly clock: () => number
  private readonly bus: PeerBus
  private readonly pendingProbes = new Map<string, Probe[]>()
  private probeTimer: NodeJS.Timeout | null = null

  constructor(services: { presence: Presence; publisher: Publisher; clock: () => number }, bus: PeerBus) {
    this.presence = services.presence
    this.publisher = services.publisher
    this.clock = services.clock
    this.bus = bus
    this.presence.onRemoteChange((userId, region) => this.onOtherRegionChange(userId, region))
    bus.on(PROBE_TOPIC, (from, payload) => this.onProbes(from, payload))
    bus.on(PROBE_ANSWER_TOPIC, (_, payload) => this.onProbeAnswer(payload))
    bus.on(TAKE_OVER_TOPIC, (_, payload) => this.onTakeOver(payload))
  }

  /** Called after an accepted hello. */
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

  /** Called when a connection of the user closed, in any region. A notified connection that is now the only one is released. */
  notifyIfAlone(userId: UserId): void {
    const [only, ...others] = this.presence.connectionsOf(userId)
    if (!only?.state.isDuplicateNotified || others.length || this.presence.otherRegionsOf(userId).length) return
    only.state.isDuplicateNotified = false
    this.publisher.enqueue(only, encodeEphemeral('duplicateConnectionResolved', {}))
  }

  /** The user chose to continue here: closes the older connections in all regions. The client then opens the landing page. */
  takeOver(connection: Connection): void {
    for (const older of this.presence.otherConnectionsOf(connection)) this.forceDisconnect(older)
    const userId = connection.identity?.viewer.userId
    if (userId !== undefined) this.bus.send('all', TAKE_OVER_TOPIC, { userId, at: this.clock() })
  }

  /** The user appeared in another region or left it. */
  private onOtherRegionChange(userId: UserId, region: string): void {
    if (!this.presence.otherRegionsOf(userId).includes(region)) this.notifyIfAlone(userId)
    else for (const connection of this.presence.connectionsOf(userId)) this.queueProbe(region, userId, connection)
  }

  private queueProbe(region: string, userId: UserId, { id, state }: OpenConnection): void {
    const open = this.presence.connectionsOf(userId).length
    const probes = this.pendingProbes.get(region) ?? []
    this.pendingProbes.set(region, probes)
    probes.push({ userId, connection: id, tabId: state.identity.tabId, arrivedAt: state.helloAt, open })
    this.probeTimer ??= setTimeout(() => this.sendProbes(), PROBE_WINDOW_MS).unref()
  }

  private sendProbes(): void {
    this.probeTimer = null
    for (const [region, probes] of this.pendingProbes) {
      while (probes.length) this.bus.send(region, PROBE_TOPIC, probes.splice(0, MAX_PROBES_PER_MESSAGE))
    }
    this.pendingProbes.clear()
  }

  private onProbes(from: string, payload: unknown): void {
    const parsed = v.safeParse(Probes, payload)
    if (!parsed.success) return
    for (const probe of parsed.output) {
      const { userId, connection } = probe
      const older = this.presence.connectionsOf(userId).filter((own) => this.isOlderThan(own, probe.arrivedAt, from))
      const tooMany = older.splice(0, Math.max(0, older.length + probe.open - MAX_CONNECTIONS_PER_USER))
      for (const oldest of tooMany) this.disconnect(oldest, 'too many connections')
      for (const own of older) {
        if (isSameTab(own, probe.tabId)) this.disconnect(own, 'the same tab came back')
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

  /** Whether a connection of this region is older than one of another. */
  private isOlderThan({ state: { helloAt } }: OpenConnection, otherHelloAt: number, region: string): boolean {
    return helloAt < otherHelloAt || (helloAt === otherHelloAt && this.bus.region < region)
  }

  /** Calls `onAlive` if the older connection answers in time and is still open. */
  private probeConnection(older: Connection, onAlive: () => void): void {
    const probedAt = this.clock()
    older.probe(() => {
      if (isOpen(older) && this.clock() - probedAt <= DUPLICATE_ANSWER_TIMEOUT_MS) onAlive()
    })
  }

  private notifyDuplicate(newer: Connection): void {
    if (!isOpen(newer)) return
    newer.state.isDuplicateNotified = true
    this.publisher.enqueue(newer, encodeEphemeral('duplicateConnection', { message: DUPLICATE_MESSAGE }))
  }

  private forceDisconnect(older: OpenConnection): void {
    older.state.isTakenOver = true
    this.publisher.enqueue(older, encodeEphemeral('forceDisconnect', { message: TAKEN_OVER_MESSAGE }))
    this.disconnect(older, 'taken over')
  }

  private disconnect(older: Connection, reason: string): void {
    this.presence.removeConnection(older, 'disconnected')
    this.publisher.endConnection(older, CloseCode.replaced, reason)
  }
}

function isSameTab({ state }: OpenConnection, tabId: string | null): boolean {
  return Boolean(tabId) && tabId === state.identity.tabId
}
