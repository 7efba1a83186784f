import { type EventName, type EventPayload, events } from '../../shared/protocol/catalogue.ts'
import { CloseCode, encode, Kind, type ServerValue } from '../../shared/protocol/frame.ts'
import type { LoggedEvent } from '../database/events.ts'
import { Batch } from './batch.ts'
import type { Connection } from './connection.ts'
import { mayHear } from './visibility.ts'

/** Under load, what one socket is to get is gathered for this long; when idle it goes at once. */
const GATHER_MS = 10
/** More than this waiting to be read, and the connection ends with 4429. */
const MAX_WAITING_BYTES = 1024 * 1024

/** Bytes of an event, put together from the payload as the log keeps it: it is encoded once, whoever receives it. */
export function eventValue(event: LoggedEvent): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x94, Kind.event), encode(event.seq), encode(event.name), event.payload])
}

export function encodeMoment<N extends EventName>(name: N, payload: EventPayload<N>): Uint8Array {
  return encode([Kind.moment, name, payload] satisfies ServerValue)
}

/** Hands events to every connection that may hear them, gathers them into frames, and keeps slow readers from harm. */
export class Publisher {
  private readonly streams = new Map<string, Set<Connection>>()
  private dirty: Connection[] = []
  private flushTimer: NodeJS.Timeout | NodeJS.Immediate | null = null
  private lastFlush = 0
  private lastSeq: number

  /** @param cursor the highest seq of the log at the start */
  constructor(cursor: number) {
    this.lastSeq = cursor
  }

  /** Everything up to here was handed to those who may hear it. */
  cursor(): number {
    return this.lastSeq
  }

  /** From now on the connection hears the stream; `knownSeq` is the cursor of the snapshot that it was given. */
  subscribe(connection: Connection, stream: string, knownSeq: number): void {
    connection.subscriptions.set(stream, knownSeq)
    const members = this.streams.get(stream)
    if (members) members.add(connection)
    else this.streams.set(stream, new Set([connection]))
  }

  unsubscribe(connection: Connection, stream: string): void {
    connection.subscriptions.delete(stream)
    const members = this.streams.get(stream)
    members?.delete(connection)
    if (members?.size === 0) this.streams.delete(stream)
  }

  /** Who hears a stream. */
  listeners(stream: string): Iterable<Connection> {
    return this.streams.get(stream) ?? []
  }

  /** Committed events, in log order. One that ends access closes the connections that hear it, before anything later. */
  publish(rows: LoggedEvent[]): void {
    for (const row of rows) {
      this.lastSeq = row.seq
      const listeners = this.streams.get(row.stream)
      if (!listeners) continue
      const value = eventValue(row)
      const closesWith = events[row.name as EventName]?.closesWith // names in the log come from the catalogue
      for (const connection of listeners) {
        if (!mayReceive(connection, row)) continue
        connection.quiet = false
        this.push(connection, value)
        if (closesWith) this.end(connection, closesWith, row.name)
      }
    }
  }

  /** An event that is not kept, to all on a stream. */
  moment<N extends EventName>(stream: string, name: N, payload: EventPayload<N>): void {
    const listeners = this.streams.get(stream)
    if (!listeners) return
    const value = encodeMoment(name, payload)
    for (const connection of listeners) this.push(connection, value)
  }

  /** Adds a value to what the connection gets next. */
  push(connection: Connection, value: Uint8Array): void {
    if (connection.closed) return
    if (connection.pending) connection.pending = connection.pending.and(value)
    else {
      connection.pending = this.first(value)
      this.dirty.push(connection)
      this.schedule()
    }
  }

  /** Sends what waits, then closes. */
  end(connection: Connection, code: number, reason: string): void {
    if (connection.closed) return
    this.sendPending(connection)
    connection.closed = true
    for (const stream of connection.subscriptions.keys()) this.unsubscribe(connection, stream)
    connection.transport.close(code, reason)
  }

  /** Sends what waits to everyone, now. */
  flush(): void {
    this.flushTimer = null
    this.lastFlush = performance.now()
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

  private schedule(): void {
    if (this.flushTimer) return
    const wait = this.lastFlush + GATHER_MS - performance.now()
    this.flushTimer = wait > 0 ? setTimeout(() => this.flush(), wait) : setImmediate(() => this.flush())
  }

  private sendPending(connection: Connection): void {
    const batch = connection.pending
    if (!batch || connection.closed) return
    connection.pending = null
    connection.transport.send(batch)
    if (connection.transport.waiting() > MAX_WAITING_BYTES) this.end(connection, CloseCode.tooFast, 'not reading')
  }
}

function mayReceive(connection: Connection, row: LoggedEvent): boolean {
  const viewer = connection.identity?.viewer
  const known = connection.subscriptions.get(row.stream)
  return viewer !== undefined && known !== undefined && row.seq > known && mayHear(viewer, row)
}
