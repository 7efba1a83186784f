import type { Person } from '../../shared/accounts/protocol.ts'
import type { ClientValue } from '../../shared/protocol/frame.ts'
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

/** Who the connection is, once hello was answered. */
export interface Identity {
  viewer: Viewer
  person: Person
  browserId: string
  tabId: string | null
}

let lastId = 0

/** One tab's line to the server: who, what it hears, and what waits to be sent to it. */
export class Connection {
  readonly id = ++lastId
  readonly transport: Transport
  readonly rateLimit: CommandRateLimit
  /** Where it comes from, where that is one person's or household's; null where it is not known. */
  readonly address: string | null
  identity: Identity | null = null
  /** Hello is being answered; what came after it waits in `early`. */
  isHandshaking = false
  preHelloQueue: ClientValue[] = []
  roomId: number | null = null
  closed = false
  /** With which code we closed it. */
  closeCode: number | null = null
  /** It heard what turns any close that follows into one with this code. */
  closeCodeOverride: number | null = null
  /** The streams that it hears; written by the publisher alone. */
  readonly streams = new Set<Stream>()
  /** What goes out with the next flush; written by the publisher alone. */
  pending: FrameChain | null = null
  /** Whether a kept event was sent since the last ping. */
  isIdle = true
  unansweredPings = 0
  /** When it said hello, in epoch milliseconds. */
  helloAt = 0
  /** Told that the same person is here twice. */
  isDuplicateNotified = false
  /** Called at the next pong, each once. */
  pongWaiters: (() => void)[] = []

  constructor(transport: Transport, limitScale: number, address: string | null = null) {
    this.transport = transport
    this.address = address
    this.rateLimit = new CommandRateLimit(limitScale)
  }

  ping(): void {
    this.unansweredPings++
    this.transport.ping()
  }

  pong(): void {
    this.unansweredPings = 0
    const waiters = this.pongWaiters
    this.pongWaiters = []
    for (const tell of waiters) tell()
  }
}
