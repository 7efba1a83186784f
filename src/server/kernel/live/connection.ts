import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ClientValue } from '../../../shared/protocol/frame.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { HTTP_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import type { Stream } from '../database/events/streams.ts'
import { CommandRateLimit } from './command-rate-limit.ts'
import type { FrameChain } from './frame-chain.ts'
import type { Viewer } from './visibility.ts'

/** What carries frames to a client: a WebSocket, or a socket pair in tests. */
export interface Transport {
  send(batch: FrameChain): void
  /** Bytes written and not yet sent by the operating system. */
  bufferedBytes(): number
  ping(): void
  close(code: number, reason: string): void
}

/** The user of a connection, known once hello is accepted. */
export interface Identity {
  viewer: Viewer
  person: Person
  browserId: string
  tabId: string | null
}

/** As long as a browser waits for the answer that brings a new token. */
export const MAX_SUSPENSION_MS = HTTP_TIMEOUT_MS

/** No hello yet, or a refused one that may be repeated. */
interface AwaitingHello {
  readonly name: 'awaitingHello'
}

/** Hello is being handled; later values are queued. */
interface Handshaking {
  readonly name: 'handshaking'
  readonly queue: ClientValue[]
}

/** Hello was accepted. */
interface Open {
  readonly name: 'open'
  readonly identity: Identity
  /** When hello was accepted, in epoch milliseconds. */
  readonly helloAt: number
  roomId: RoomId | null
  /** As the client showed it by `adminConnected`; it may have expired. */
  adminToken: string | null
  /** The client was sent `duplicateConnection`. */
  isDuplicateNotified: boolean
  /** Set by an event; overrides the close code of the event that closes the connection. */
  closeCodeOverride: number | null
  /** The user has chosen to continue on another connection. */
  isTakenOver: boolean
  /** Its session has another id: until the client shows a token of the new one, nothing is sent or handled. Ends it if none comes. */
  suspension: NodeJS.Timeout | null
  /** Values received during the handshake, until hello is answered, or while the connection is suspended. */
  readonly queue: ClientValue[]
}

interface Closed {
  readonly name: 'closed'
  /** The server's close code; null when the client or the network closed it. */
  readonly code: number | null
  /** The open state before the close; presence needs it for its clean-up. */
  readonly lastOpen: Open | null
}

export type ConnectionState = AwaitingHello | Handshaking | Open | Closed

/** A connection on which hello was accepted and that has not been closed. */
export type OpenConnection = Connection & { readonly state: Open }

export function isOpen(connection: Connection): connection is OpenConnection {
  return connection.state.name === 'open'
}

const AWAITING_HELLO: AwaitingHello = { name: 'awaitingHello' }

let lastId = 0

/** One tab's connection: its state, its subscriptions and the values waiting to be sent. */
export class Connection {
  readonly id = ++lastId
  readonly transport: Transport
  readonly rateLimit: CommandRateLimit
  /** The client's address; null when many clients share it behind an unlisted proxy. */
  readonly address: string | null
  /** The browser id of its cookie (http/browser-cookie.ts); set when the connection is made. */
  browserCookie: string | null = null
  /** Subscribed streams; only the publisher changes them. */
  readonly streams = new Set<Stream>()
  /** Values of the next flush; only the publisher changes them. */
  pending: FrameChain | null = null
  /** No logged event was delivered since the last ping. */
  isIdle = true
  private current: ConnectionState = AWAITING_HELLO
  private unanswered = 0
  private pongListeners: (() => void)[] = []
  private readonly closeListeners = new Set<() => void>()

  constructor(transport: Transport, limitScale: number, address: string | null = null) {
    this.transport = transport
    this.address = address
    this.rateLimit = new CommandRateLimit(limitScale)
  }

  get state(): ConnectionState {
    return this.current
  }

  get isClosed(): boolean {
    return this.current.name === 'closed'
  }

  /** The open state, also of a connection that has been closed since; null before hello was accepted. */
  get lastOpen(): Open | null {
    if (this.current.name === 'open') return this.current
    return this.current.name === 'closed' ? this.current.lastOpen : null
  }

  /** Null before hello was accepted. */
  get identity(): Identity | null {
    return this.lastOpen?.identity ?? null
  }

  get roomId(): number | null {
    return this.lastOpen?.roomId ?? null
  }

  beginHandshake(): void {
    if (this.current.name !== 'awaitingHello') throw new Error(`a connection that is ${this.current.name} got hello`)
    this.current = { name: 'handshaking', queue: [] }
  }

  /** Accepts hello. */
  open(identity: Identity, now: number): void {
    if (this.current.name !== 'handshaking') throw new Error(`a connection that is ${this.current.name} was opened`)
    const { queue } = this.current
    const unset = { roomId: null, adminToken: null, closeCodeOverride: null, suspension: null }
    const flags = { isDuplicateNotified: false, isTakenOver: false }
    this.current = { name: 'open', identity, helloAt: now, ...unset, ...flags, queue }
  }

  /** Ends the handshake after its answer. Returns the values queued during it. */
  endHandshake(): ClientValue[] {
    const state = this.current
    if (state.name === 'handshaking') this.current = AWAITING_HELLO
    return 'queue' in state ? state.queue.splice(0) : []
  }

  /** Stops sending and handling. A connection that is already closed keeps its first code. */
  markClosed(code: number | null): Closed {
    if (this.current.name === 'closed') return this.current
    const closed: Closed = { name: 'closed', code, lastOpen: this.lastOpen }
    this.current = closed
    this.resume()
    for (const onClosed of this.closeListeners) onClosed()
    this.closeListeners.clear()
    return closed
  }

  get isSuspended(): boolean {
    return isOpen(this) && this.state.suspension !== null
  }

  /** Suspends the connection if it is open; calls `onTimeout` when it is not resumed in time. */
  suspend(onTimeout: () => void): void {
    if (isOpen(this)) this.state.suspension ??= setTimeout(onTimeout, MAX_SUSPENSION_MS).unref()
  }

  resume(): void {
    const { lastOpen } = this
    if (!lastOpen?.suspension) return
    clearTimeout(lastOpen.suspension)
    lastOpen.suspension = null
  }

  /** Calls `listener` in the moment in which the connection closes. Returns a function that takes it back. */
  onClosed(listener: () => void): () => void {
    this.closeListeners.add(listener)
    return () => this.closeListeners.delete(listener)
  }

  get unansweredPings(): number {
    return this.unanswered
  }

  ping(): void {
    this.unanswered++
    this.transport.ping()
  }

  /** Pings at once, outside the schedule; calls `onPong` at the next pong. */
  probe(onPong: () => void): void {
    this.pongListeners.push(onPong)
    this.transport.ping()
  }

  pong(): void {
    this.unanswered = 0
    for (const onPong of this.pongListeners.splice(0)) onPong()
  }
}
