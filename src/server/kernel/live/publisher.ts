import type { EventName, EventPayload, LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import { CloseCode, encode, Kind, type ServerValue } from '../../../shared/protocol/frame.ts'
import { decodeEventPayload, type LoggedEvent } from '../database/events/logged-event.ts'
import { RecentEvents } from '../database/events/recent-events.ts'
import { type Stream, streamsOf } from '../database/events/streams.ts'
import { CoalescingThrottle } from '../limits/throttle.ts'
import type { Connection } from './connection.ts'
import { FrameChain } from './frame-chain.ts'
import { OutboundEvent } from './outbound-event.ts'
import { UnreadBytes } from './unread-bytes.ts'
import type { Viewer } from './visibility.ts'

/** Under load, values are collected for this long into one frame; when idle they go out at once. */
const FLUSH_WINDOW_MS = 10
/** Connections that are flushed in one turn of the event loop, about 4 ms, so that nothing else waits for a long fan-out. */
const FLUSHES_PER_TURN = 500
/** A connection with more unsent bytes than this is closed with 4429. */
const MAX_BUFFERED_BYTES = 1024 * 1024

export function encodeEphemeral<N extends EventName>(name: N, payload: EventPayload<N>): Uint8Array {
  return encode([Kind.ephemeral, name, payload] satisfies ServerValue)
}

/** An event for listeners inside the process; its payload is decoded on first use. */
export class PublishedEvent<N extends LoggedEventName = LoggedEventName> {
  readonly row: LoggedEvent<N>
  private decoded: EventPayload<N> | null = null

  constructor(row: LoggedEvent<N>) {
    this.row = row
  }

  get payload(): EventPayload<N> {
    this.decoded ??= decodeEventPayload(this.row)
    return this.decoded
  }
}

type EventListener = (event: PublishedEvent) => void

/** Delivers events to the subscribers that may receive them, batches them into frames, and closes slow readers. */
export class Publisher {
  /** The subscribers of each stream, and the seq up to which each one already has it. */
  private readonly streams = new Map<Stream, Map<Connection, number>>()
  private dirty: Connection[] = []
  private answeredConnections: Connection[] = []
  private readonly flushThrottle = new CoalescingThrottle(FLUSH_WINDOW_MS, () => this.flush())
  private readonly eventListeners = new Map<LoggedEventName, EventListener[]>()
  /** For replays to clients that reconnect. */
  readonly recentEvents: RecentEvents
  private readonly resetListeners: (() => void)[] = []
  private lastSeq: number
  private readonly unreadBytes: UnreadBytes

  /**
   * @param cursor the highest seq of the log at the start
   * @param unreadBytesPerAddress the most unsent bytes of all connections of one address
   */
  constructor(cursor: number, unreadBytesPerAddress = Number.POSITIVE_INFINITY) {
    this.lastSeq = cursor
    this.unreadBytes = new UnreadBytes(unreadBytesPerAddress)
    this.recentEvents = new RecentEvents(cursor)
  }

  /** The highest published seq. */
  cursor(): number {
    return this.lastSeq
  }

  /** The last published event; null before the first. */
  latestEvent(): LoggedEvent | null {
    return this.recentEvents.latest
  }

  /** Subscribes a connection. `knownSeq` is the cursor of its snapshot: events up to it are not sent again. */
  subscribe(connection: Connection, stream: Stream, knownSeq: number): void {
    connection.streams.add(stream)
    const listeners = this.streams.get(stream)
    if (listeners) listeners.set(connection, knownSeq)
    else this.streams.set(stream, new Map([[connection, knownSeq]]))
  }

  unsubscribe(connection: Connection, stream: Stream): void {
    connection.streams.delete(stream)
    const listeners = this.streams.get(stream)
    listeners?.delete(connection)
    if (listeners?.size === 0) this.streams.delete(stream)
  }

  unsubscribeAll(connection: Connection): void {
    for (const stream of connection.streams) this.unsubscribe(connection, stream)
  }

  /** Calls `listener` for every event of this name, before any connection receives it and also without subscribers. */
  on<N extends LoggedEventName>(name: N, listener: (event: PublishedEvent<N>) => void): void {
    const listeners = this.eventListeners.get(name) ?? []
    this.eventListeners.set(name, listeners)
    listeners.push(listener as EventListener) // the map gives it events of this name only
  }

  /** Calls `listener` when the log was replaced by another one. */
  onReset(listener: () => void): void {
    this.resetListeners.push(listener)
  }

  hasSubscribers(stream: Stream): boolean {
    return this.streams.has(stream)
  }

  subscribers(stream: Stream): Iterable<Connection> {
    return this.streams.get(stream)?.keys() ?? []
  }

  /**
   * Publishes committed events in log order; skips those already published. An event that ends access closes its
   * receivers' connections before any later event is delivered.
   */
  publish(rows: LoggedEvent[]): void {
    for (const row of rows) {
      if (row.seq <= this.lastSeq) continue
      this.lastSeq = row.seq
      this.recentEvents.append(row)
      this.notifyListeners(row)
      this.deliverToSubscribers(row)
    }
  }

  /**
   * Starts over with a replaced log whose last event is `last`. Closes all subscribed connections: they reconnect with
   * cursors of the old log, from which the new one cannot resume.
   */
  resetTo(last: LoggedEvent | null): void {
    this.lastSeq = last?.seq ?? 0
    this.recentEvents.reset(last)
    const connections = new Set([...this.streams.values()].flatMap((listeners) => [...listeners.keys()]))
    for (const connection of connections) this.endConnection(connection, CloseCode.shuttingDown, 'the log was replaced')
    for (const listener of this.resetListeners) listener()
  }

  /**
   * Sends an ephemeral event to the subscribers of a stream. `payloadFor` adapts it for viewers who have blocked others or
   * are ghost-banned: null sends nothing, the same object sends it unchanged.
   */
  publishEphemeral<N extends EventName>(
    stream: Stream,
    name: N,
    payload: EventPayload<N>,
    payloadFor: (viewer: Viewer) => EventPayload<N> | null = () => payload,
  ): void {
    const listeners = this.streams.get(stream)
    if (listeners) this.sendEphemeral(listeners.keys(), name, payload, payloadFor)
  }

  /** As `publishEphemeral`, to these connections. */
  sendEphemeral<N extends EventName>(
    receivers: Iterable<Connection>,
    name: N,
    payload: EventPayload<N>,
    payloadFor: (viewer: Viewer) => EventPayload<N> | null = () => payload,
  ): void {
    const value = encodeEphemeral(name, payload)
    for (const connection of receivers) {
      const viewer = connection.identity?.viewer
      const adapted = viewer && (viewer.blockedIds.size > 0 || viewer.isGhost) ? payloadFor(viewer) : payload
      if (adapted !== null) this.enqueue(connection, adapted === payload ? value : encodeEphemeral(name, adapted))
    }
  }

  /** Adds a value to the connection's next frame. */
  enqueue(connection: Connection, value: Uint8Array): void {
    if (connection.isClosed) return
    if (connection.pending) {
      connection.pending = connection.pending.append(value)
      if (connection.isSuspended && connection.pending.payloadBytes > MAX_BUFFERED_BYTES)
        this.endConnection(connection, CloseCode.rateLimited, 'too much while suspended')
    } else {
      connection.pending = this.startChain(value)
      this.dirty.push(connection)
      this.flushThrottle.schedule()
    }
  }

  /** Adds an answer and flushes the connection within this turn of the event loop, because the client waits for it. */
  enqueueAnswer(connection: Connection, value: Uint8Array): void {
    this.enqueue(connection, value)
    if (this.answeredConnections.push(connection) === 1) setImmediate(() => this.flushAnswers())
  }

  /** Flushes, then closes. */
  endConnection(connection: Connection, code: number, reason: string): void {
    if (connection.isClosed) return
    this.sendPending(connection)
    connection.markClosed(code)
    this.unsubscribeAll(connection)
    connection.transport.close(code, reason)
  }

  private notifyListeners(row: LoggedEvent): void {
    const listeners = this.eventListeners.get(row.name)
    if (!listeners) return
    const event = new PublishedEvent(row)
    for (const listener of listeners) listener(event)
  }

  private deliverToSubscribers(row: LoggedEvent): void {
    let outbound: OutboundEvent | null = null
    let served: ReadonlyMap<Connection, number> | null = null
    for (const stream of streamsOf(row.stream)) {
      const listeners = this.streams.get(stream)
      if (!listeners) continue
      outbound ??= new OutboundEvent(row)
      for (const [connection, knownSeq] of listeners) {
        // A connection with both streams of an event gets it once.
        if (row.seq > knownSeq && row.seq <= (served?.get(connection) ?? row.seq)) this.deliver(connection, outbound)
      }
      served = listeners
    }
  }

  private deliver(connection: Connection, outbound: OutboundEvent): void {
    const { state } = connection
    if (state.name !== 'open') return
    const encoded = outbound.encodedFor(state.identity.viewer)
    if (!encoded) return
    connection.isIdle = false
    this.enqueue(connection, encoded.value)
    const { effect, row } = outbound
    if (effect === 'suspends') this.suspend(connection)
    if (typeof effect !== 'object') return
    if ('overridesCloseCode' in effect) state.closeCodeOverride = effect.overridesCloseCode
    else this.endConnection(connection, state.closeCodeOverride ?? effect.closesWith, row.name)
  }

  private suspend(connection: Connection): void {
    this.sendPending(connection)
    connection.suspend(() => this.endConnection(connection, CloseCode.notSignedIn, 'session replaced'))
  }

  /** Ends a suspension and sends what has come meanwhile. */
  resume(connection: Connection): void {
    connection.resume()
    this.sendPending(connection)
  }

  private flushAnswers(): void {
    const connections = this.answeredConnections
    this.answeredConnections = []
    for (const connection of connections) this.sendPending(connection)
  }

  private flush(): void {
    const connections = this.dirty
    this.dirty = []
    this.latestChain = null
    this.flushFrom(connections, 0)
  }

  private flushFrom(connections: readonly Connection[], start: number): void {
    const end = start + FLUSHES_PER_TURN
    for (const connection of connections.slice(start, end)) this.sendPending(connection)
    if (end < connections.length) setImmediate(() => this.flushFrom(connections, end))
  }

  /** The most recently started chain; connections that start with the same value share it. */
  private latestChain: FrameChain | null = null

  private startChain(value: Uint8Array): FrameChain {
    if (this.latestChain?.value !== value) this.latestChain = new FrameChain(value, null)
    return this.latestChain
  }

  private sendPending(connection: Connection): void {
    const chain = connection.pending
    if (!chain || connection.isClosed || connection.isSuspended) return
    connection.pending = null
    connection.transport.send(chain)
    const bytes = connection.transport.bufferedBytes()
    const slow = bytes > MAX_BUFFERED_BYTES ? connection : this.unreadBytes.record(connection, bytes)
    if (slow) this.endConnection(slow, CloseCode.rateLimited, 'not reading')
  }
}
