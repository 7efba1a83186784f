import type { EventName, EventPayload, LoggedEventName } from '../../shared/protocol/catalogue.ts'
import { CloseCode, encode, Kind, type ServerValue } from '../../shared/protocol/frame.ts'
import { decodeEventPayload, type LoggedEvent } from '../database/events.ts'
import type { Stream } from '../database/streams.ts'
import { CoalescingThrottle } from '../throttle.ts'
import type { Connection } from './connection.ts'
import { FrameChain } from './frame-chain.ts'
import { OutboundEvent } from './outbound-event.ts'
import type { Viewer } from './visibility.ts'

/** Under load, what one socket is to get is gathered for this long; when idle it goes at once. */
const FLUSH_WINDOW_MS = 10
/** More than this waiting to be read, and the connection ends with 4429. */
const MAX_BUFFERED_BYTES = 1024 * 1024

export function encodeEphemeral<N extends EventName>(name: N, payload: EventPayload<N>): Uint8Array {
  return encode([Kind.ephemeral, name, payload] satisfies ServerValue)
}

/** An event as listeners inside the process get it: its payload is decoded when it is first read. */
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

/** Hands events to every connection that may hear them, gathers them into frames, and keeps slow readers from harm. */
export class Publisher {
  /** Who hears each stream, and up to which seq they know it already. */
  private readonly streams = new Map<Stream, Map<Connection, number>>()
  private dirty: Connection[] = []
  private answeredConnections: Connection[] = []
  private readonly flushThrottle = new CoalescingThrottle(FLUSH_WINDOW_MS, () => this.flush())
  private readonly eventListeners = new Map<LoggedEventName, EventListener[]>()
  private lastSeq: number
  private lastEvent: LoggedEvent | null = null

  /** @param cursor the highest seq of the log at the start */
  constructor(cursor: number) {
    this.lastSeq = cursor
  }

  /** Everything up to here was handed to those who may hear it. */
  cursor(): number {
    return this.lastSeq
  }

  /** The last event that was handed over; null before the first. */
  latestEvent(): LoggedEvent | null {
    return this.lastEvent
  }

  /** From now on the connection hears the stream; `knownSeq` is the cursor of the snapshot that it was given. */
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

  /** The connection hears nothing any more. */
  unsubscribeAll(connection: Connection): void {
    for (const stream of connection.streams) this.unsubscribe(connection, stream)
  }

  /** Calls `listener` for every event of this name, before any connection receives it and even when none does. */
  on<N extends LoggedEventName>(name: N, listener: (event: PublishedEvent<N>) => void): void {
    const listeners = this.eventListeners.get(name) ?? []
    this.eventListeners.set(name, listeners)
    listeners.push(listener as EventListener) // the map gives it events of this name only
  }

  /** Whether anybody hears a stream. */
  hasSubscribers(stream: Stream): boolean {
    return this.streams.has(stream)
  }

  /** Who hears a stream. */
  subscribers(stream: Stream): Iterable<Connection> {
    return this.streams.get(stream)?.keys() ?? []
  }

  /**
   * Committed events, in log order; those that were handed over before are passed by. One that ends access closes the
   * connections that hear it, before anything later.
   */
  publish(rows: LoggedEvent[]): void {
    for (const row of rows) {
      if (row.seq <= this.lastSeq) continue
      this.lastSeq = row.seq
      this.lastEvent = row
      this.notifyListeners(row)
      const listeners = this.streams.get(row.stream)
      if (!listeners) continue
      const told = new OutboundEvent(row)
      for (const [connection, knownSeq] of listeners) {
        if (row.seq > knownSeq) this.deliver(connection, told)
      }
    }
  }

  /**
   * The log is another one from now on, and `last` is its last event: whoever heard of the old one comes again, with a
   * cursor that the new one cannot resume from.
   */
  resetTo(last: LoggedEvent | null): void {
    this.lastSeq = last?.seq ?? 0
    this.lastEvent = last
    const connections = new Set([...this.streams.values()].flatMap((listeners) => [...listeners.keys()]))
    for (const connection of connections) this.endConnection(connection, CloseCode.shuttingDown, 'the log was replaced')
  }

  /**
   * An event that is not kept, to all on a stream. `as` is what of it is for somebody who has blocked others: null for
   * nothing, the same object for all.
   */
  publishEphemeral<N extends EventName>(
    stream: Stream,
    name: N,
    payload: EventPayload<N>,
    as: (viewer: Viewer) => EventPayload<N> | null = () => payload,
  ): void {
    const listeners = this.streams.get(stream)
    if (!listeners) return
    const value = encodeEphemeral(name, payload)
    for (const connection of listeners.keys()) {
      const viewer = connection.identity?.viewer
      const own = viewer && viewer.blockedIds.size > 0 ? as(viewer) : payload
      if (own !== null) this.enqueue(connection, own === payload ? value : encodeEphemeral(name, own))
    }
  }

  /** Adds a value to what the connection gets next. */
  enqueue(connection: Connection, value: Uint8Array): void {
    if (connection.isClosed) return
    if (connection.pending) connection.pending = connection.pending.append(value)
    else {
      connection.pending = this.startChain(value)
      this.dirty.push(connection)
      this.flushThrottle.schedule()
    }
  }

  /** Adds an answer, and sends what waits in this turn of the event loop: whoever asked waits for it. */
  enqueueAnswer(connection: Connection, value: Uint8Array): void {
    this.enqueue(connection, value)
    if (this.answeredConnections.push(connection) > 1) return
    setImmediate(() => {
      const connections = this.answeredConnections
      this.answeredConnections = []
      for (const answered of connections) this.sendPending(answered)
    })
  }

  /** Sends what waits, then closes. */
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

  private deliver(connection: Connection, told: OutboundEvent): void {
    const { state } = connection
    if (state.name !== 'open') return
    const encoded = told.encodedFor(state.identity.viewer)
    if (!encoded) return
    connection.isIdle = false
    this.enqueue(connection, encoded.value)
    const { effect, row } = told
    if (typeof effect !== 'object') return
    if ('overridesCloseCode' in effect) state.closeCodeOverride = effect.overridesCloseCode
    else this.endConnection(connection, state.closeCodeOverride ?? effect.closesWith, row.name)
  }

  private flush(): void {
    const connections = this.dirty
    this.dirty = []
    this.latestChain = null
    for (const connection of connections) this.sendPending(connection)
  }

  /** The chain that the most recent first value started: shared by all who start with the same one. */
  private latestChain: FrameChain | null = null

  private startChain(value: Uint8Array): FrameChain {
    if (this.latestChain?.value !== value) this.latestChain = new FrameChain(value, null)
    return this.latestChain
  }

  private sendPending(connection: Connection): void {
    const batch = connection.pending
    if (!batch || connection.isClosed) return
    connection.pending = null
    connection.transport.send(batch)
    if (connection.transport.bufferedBytes() > MAX_BUFFERED_BYTES)
      this.endConnection(connection, CloseCode.rateLimited, 'not reading')
  }
}
