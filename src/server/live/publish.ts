import type { EventName, EventPayload } from '../../shared/protocol/catalogue.ts'
import { CloseCode, encode, Kind, type ServerValue } from '../../shared/protocol/frame.ts'
import type { LoggedEvent } from '../database/events.ts'
import { Gather } from '../gather.ts'
import { Batch } from './batch.ts'
import type { Connection } from './connection.ts'
import { Told } from './told.ts'
import type { Viewer } from './visibility.ts'

/** Under load, what one socket is to get is gathered for this long; when idle it goes at once. */
const GATHER_MS = 10
/** More than this waiting to be read, and the connection ends with 4429. */
const MAX_WAITING_BYTES = 1024 * 1024

export function encodeMoment<N extends EventName>(name: N, payload: EventPayload<N>): Uint8Array {
  return encode([Kind.moment, name, payload] satisfies ServerValue)
}

/** Hands events to every connection that may hear them, gathers them into frames, and keeps slow readers from harm. */
export class Publisher {
  /** Who hears each stream, and up to which seq they know it already. */
  private readonly streams = new Map<string, Map<Connection, number>>()
  private dirty: Connection[] = []
  private answered: Connection[] = []
  private readonly gathering = new Gather(GATHER_MS, () => this.flush())
  private readonly rowListeners: ((row: LoggedEvent) => void)[] = []
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
  last(): LoggedEvent | null {
    return this.lastEvent
  }

  /** From now on the connection hears the stream; `knownSeq` is the cursor of the snapshot that it was given. */
  subscribe(connection: Connection, stream: string, knownSeq: number): void {
    connection.streams.add(stream)
    const listeners = this.streams.get(stream)
    if (listeners) listeners.set(connection, knownSeq)
    else this.streams.set(stream, new Map([[connection, knownSeq]]))
  }

  unsubscribe(connection: Connection, stream: string): void {
    connection.streams.delete(stream)
    const listeners = this.streams.get(stream)
    listeners?.delete(connection)
    if (listeners?.size === 0) this.streams.delete(stream)
  }

  /** The connection hears nothing any more. */
  unsubscribeAll(connection: Connection): void {
    for (const stream of connection.streams) this.unsubscribe(connection, stream)
  }

  /** Calls `listener` for every event that is handed over, whoever hears it. */
  onRow(listener: (row: LoggedEvent) => void): void {
    this.rowListeners.push(listener)
  }

  /** Whether anybody hears a stream. */
  hasListeners(stream: string): boolean {
    return this.streams.has(stream)
  }

  /** Who hears a stream. */
  listeners(stream: string): Iterable<Connection> {
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
      for (const listener of this.rowListeners) listener(row)
      const listeners = this.streams.get(row.stream)
      if (!listeners) continue
      const told = new Told(row)
      for (const [connection, knownSeq] of listeners) {
        if (row.seq > knownSeq) this.tell(connection, told)
      }
    }
  }

  /**
   * The log is another one from now on, and `last` is its last event: whoever heard of the old one comes again, with a
   * cursor that the new one cannot resume from.
   */
  startOver(last: LoggedEvent | null): void {
    this.lastSeq = last?.seq ?? 0
    this.lastEvent = last
    const connections = new Set([...this.streams.values()].flatMap((listeners) => [...listeners.keys()]))
    for (const connection of connections) this.end(connection, CloseCode.shuttingDown, 'the log was replaced')
  }

  /**
   * An event that is not kept, to all on a stream. `as` is what of it is for somebody who has blocked others: null for
   * nothing, the same object for all.
   */
  moment<N extends EventName>(
    stream: string,
    name: N,
    payload: EventPayload<N>,
    as: (viewer: Viewer) => EventPayload<N> | null = () => payload,
  ): void {
    const listeners = this.streams.get(stream)
    if (!listeners) return
    const value = encodeMoment(name, payload)
    for (const connection of listeners.keys()) {
      const viewer = connection.identity?.viewer
      const own = viewer && viewer.blocked.size > 0 ? as(viewer) : payload
      if (own !== null) this.push(connection, own === payload ? value : encodeMoment(name, own))
    }
  }

  /** Adds a value to what the connection gets next. */
  push(connection: Connection, value: Uint8Array): void {
    if (connection.closed) return
    if (connection.pending) connection.pending = connection.pending.and(value)
    else {
      connection.pending = this.first(value)
      this.dirty.push(connection)
      this.gathering.schedule()
    }
  }

  /** Adds an answer, and sends what waits in this turn of the event loop: whoever asked waits for it. */
  answer(connection: Connection, value: Uint8Array): void {
    this.push(connection, value)
    if (this.answered.push(connection) > 1) return
    setImmediate(() => {
      const connections = this.answered
      this.answered = []
      for (const answered of connections) this.sendPending(answered)
    })
  }

  /** Sends what waits, then closes. */
  end(connection: Connection, code: number, reason: string): void {
    if (connection.closed) return
    this.sendPending(connection)
    connection.closed = true
    connection.closedWith = code
    this.unsubscribeAll(connection)
    connection.transport.close(code, reason)
  }

  private tell(connection: Connection, told: Told): void {
    const viewer = connection.identity?.viewer
    const form = viewer && told.formFor(viewer)
    if (!form) return
    connection.quiet = false
    this.push(connection, form.value)
    if (!told.endsLines) return
    const { closesWith, turnsCloseInto } = told.spec
    if (turnsCloseInto) connection.closesInto = turnsCloseInto
    if (closesWith) this.end(connection, connection.closesInto ?? closesWith, told.row.name)
  }

  private flush(): void {
    const connections = this.dirty
    this.dirty = []
    this.latestFirst = null
    for (const connection of connections) this.sendPending(connection)
  }

  /** The chain that the most recent first value started: shared by all who start with the same one. */
  private latestFirst: Batch | null = null

  private first(value: Uint8Array): Batch {
    if (this.latestFirst?.value !== value) this.latestFirst = new Batch(value, null)
    return this.latestFirst
  }

  private sendPending(connection: Connection): void {
    const batch = connection.pending
    if (!batch || connection.closed) return
    connection.pending = null
    connection.transport.send(batch)
    if (connection.transport.waiting() > MAX_WAITING_BYTES) this.end(connection, CloseCode.tooFast, 'not reading')
  }
}
