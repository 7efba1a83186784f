import type { Person } from '../../shared/accounts/protocol.ts'
import type { ClientValue } from '../../shared/protocol/frame.ts'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { Stream } from '../database/streams.ts'
import { CommandRateLimit } from './command-rate-limit.ts'
import type { FrameChain } from './frame-chain.ts'
import type { Viewer } from './visibility.ts'

/** What carries frames to a client: a WebSocket, or a socket pair in tests. */
export interface Transport {
  send(batch: FrameChain): void
  /** Bytes handed over and not yet taken by the network. */
  bufferedBytes(): number
  ping(): void
  close(code: number, reason: string): void
}

/** Who the connection is, from an accepted hello on. */
export interface Identity {
  viewer: Viewer
  person: Person
  browserId: string
  tabId: string | null
}

/** Hello has not come, or was refused in a way that allows another one. */
interface AwaitingHello {
  readonly name: 'awaitingHello'
}

/** Hello is being handled. What follows it is queued. */
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
  /** The client knows that the same person is connected elsewhere. */
  isDuplicateNotified: boolean
  /** The code that an event set for the close which follows it. */
  closeCodeOverride: number | null
  /** What came during the handshake, until hello is answered. */
  readonly queue: ClientValue[]
}

interface Closed {
  readonly name: 'closed'
  /** The code with which the server closed it; null where the client or the network did. */
  readonly code: number | null
  /** Its open state until then, which presence is cleaned up by. */
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

/** One tab's connection: its state, the streams that it hears, and what waits to be sent to it. */
export class Connection {
  readonly id = ++lastId
  readonly transport: Transport
  readonly rateLimit: CommandRateLimit
  /** The client's address; null where it is that of a proxy which many clients share. */
  readonly address: string | null
  /** The streams that it hears; written by the publisher alone. */
  readonly streams = new Set<Stream>()
  /** What goes out with the next flush; written by the publisher alone. */
  pending: FrameChain | null = null
  /** No logged event was sent since the last ping. */
  isIdle = true
  private current: ConnectionState = AWAITING_HELLO
  private unanswered = 0
  private pongListeners: (() => void)[] = []

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

  /** Who it is; null before hello was accepted. */
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
    const fresh = { roomId: null, isDuplicateNotified: false, closeCodeOverride: null }
    this.current = { name: 'open', identity, helloAt: now, ...fresh, queue }
  }

  /** Hello was answered: what came meanwhile is handed out, to be handled now. */
  endHandshake(): ClientValue[] {
    const state = this.current
    if (state.name === 'handshaking') this.current = AWAITING_HELLO
    return 'queue' in state ? state.queue.splice(0) : []
  }

  /** Nothing is sent or handled from now on. A connection that is closed already keeps its code. */
  markClosed(code: number | null): Closed {
    if (this.current.name === 'closed') return this.current
    const closed: Closed = { name: 'closed', code, lastOpen: this.lastOpen }
    this.current = closed
    return closed
  }

  get unansweredPings(): number {
    return this.unanswered
  }

  ping(): void {
    this.unanswered++
    this.transport.ping()
  }

  /** Pings outside of the schedule; `onPong` is called at the next pong. */
  probe(onPong: () => void): void {
    this.pongListeners.push(onPong)
    this.transport.ping()
  }

  pong(): void {
    this.unanswered = 0
    for (const onPong of this.pongListeners.splice(0)) onPong()
  }
}
