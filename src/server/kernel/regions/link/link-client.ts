import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import type { ClusterClock } from '../replication/cluster-clock.ts'
import { answerChallenge, type PeerInfo, type PrimaryInfo, verifyServer } from './handshake.ts'
import { LinkClose, LinkConnection, type LinkSocket, MAX_BUFFERED_BYTES } from './link-connection.ts'
import {
  type PrimaryFrame,
  type PrimaryMessage,
  parsePrimaryFrame,
  type ReplicaFrame,
  type ReplicaMessage,
} from './link-messages.ts'

/** Limit of connecting and the handshake together. */
const HANDSHAKE_TIMEOUT_MS = 4_000
/** Delay after a failed attempt: none after the first, then doubled up to the maximum. */
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 2_000
/** A link that lasted this long resets the delay when it breaks. */
const STABLE_LINK_MS = 2_000
/** `send` refuses beyond this, so that a primary that reads slowly is noticed before the link ends. */
const MAX_UNSENT_BYTES = MAX_BUFFERED_BYTES / 2

export interface LinkClientOptions extends PeerInfo {
  /** `keys.link`. */
  key: KeyObject
  /** Opens a socket to the site at this URL. */
  openSocket: (url: string) => LinkSocket
  /** Gets samples of the primary's clock. */
  clock: ClusterClock
  log: Logger
  /** From 0 to 1, for the jitter of the retries. */
  random?: () => number
}

type PrimaryConnection = LinkConnection<PrimaryFrame, ReplicaFrame>

/** A replica's end of the link: it keeps a connection to the site that `connectTo` named last. */
export class LinkClient {
  private readonly options: LinkClientOptions
  private readonly random: () => number
  private readonly messageListeners: ((message: PrimaryMessage) => void)[] = []
  private readonly linkedListeners: ((primary: { region: string; url: string }) => void)[] = []
  private readonly unlinkedListeners: (() => void)[] = []
  private url: string | null = null
  private failures = 0
  /** The socket of the attempt under way; null without one. */
  private pendingSocket: LinkSocket | null = null
  private retryTimer: NodeJS.Timeout | null = null
  private handshakeTimer: NodeJS.Timeout | null = null
  private connection: PrimaryConnection | null = null
  private linkedAt = 0
  private lastPingId = 0
  private pingSentAt = 0
  private lastRoundTripMs: number | null = null

  constructor(options: LinkClientOptions) {
    this.options = options
    this.random = options.random ?? Math.random
  }

  isLinked(): boolean {
    return this.connection !== null
  }

  /** The measured round trip in milliseconds; null while not linked. */
  roundTripMs(): number | null {
    return this.connection ? this.lastRoundTripMs : null
  }

  onMessage(listener: (message: PrimaryMessage) => void): void {
    this.messageListeners.push(listener)
  }

  onLinked(listener: (primary: { region: string; url: string }) => void): void {
    this.linkedListeners.push(listener)
  }

  onUnlinked(listener: () => void): void {
    this.unlinkedListeners.push(listener)
  }

  close(): void {
    this.connectTo(null)
  }

  /** Connects to this site from now on, and to no other; null: to none. */
  connectTo(url: string | null): void {
    if (url === this.url) return
    this.url = url
    this.failures = 0
    this.abortAttempt()
    if (this.connection) this.connection.end(LinkClose.normal)
    else this.scheduleRetry()
  }

  /** False when it is not linked or too many bytes wait: the caller keeps what has to arrive. */
  send(message: ReplicaMessage): boolean {
    if (!this.connection) return false
    if (this.connection.bufferedBytes() > MAX_UNSENT_BYTES) {
      // Relays have to arrive while the link lasts: peers send their whole state again on the next one.
      if (message.kind === 'relay') this.connection.end(LinkClose.tooSlow)
      return false
    }
    const sent = this.connection.send(message)
    if (sent === 'tooLarge') this.options.log.error({ kind: message.kind }, 'message too large for the link')
    return sent === 'sent'
  }

  private scheduleRetry(): void {
    const { url } = this
    if (url === null || this.retryTimer) return
    const backOffMs = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** (this.failures - 1))
    const delayMs = this.failures === 0 ? 0 : backOffMs * (0.5 + this.random() / 2)
    this.failures++
    this.retryTimer = setTimeout(() => {
      this.retryTimer = null
      this.connect(url)
    }, delayMs)
  }

  private connect(url: string): void {
    const socket = this.options.openSocket(url)
    this.pendingSocket = socket
    this.handshakeTimer = setTimeout(() => this.handleFailure(socket, LinkClose.timedOut), HANDSHAKE_TIMEOUT_MS)
    socket.onClose((code) => this.handleFailure(socket, code))
    socket.onFrame((frame) => {
      if (socket !== this.pendingSocket) return
      const proof = answerChallenge(this.options.key, frame, this.peerInfo())
      if (!proof) return this.handleFailure(socket, LinkClose.authenticationFailed)
      socket.onFrame((answer) => {
        if (socket !== this.pendingSocket) return
        const primary = verifyServer(this.options.key, proof, answer)
        if (primary) this.openConnection(socket, primary)
        else this.handleFailure(socket, LinkClose.authenticationFailed)
      })
      socket.send(proof.frame)
    })
  }

  private peerInfo(): PeerInfo {
    const { region, url, migrationCount, isCandidate } = this.options
    return { region, url, migrationCount, isCandidate }
  }

  private handleFailure(socket: LinkSocket, code: number): void {
    if (socket !== this.pendingSocket) return
    this.options.log.debug({ url: this.url, code }, 'link attempt failed')
    this.abortAttempt(code)
    // LiteFS names a new primary a moment before its site accepts links.
    if (code === LinkClose.notPrimary) this.failures = 1
    this.scheduleRetry()
  }

  /** Ends the attempt under way and cancels the next one. */
  private abortAttempt(code: number = LinkClose.normal): void {
    const socket = this.pendingSocket
    this.clearAttempt()
    if (this.retryTimer) clearTimeout(this.retryTimer)
    this.retryTimer = null
    socket?.close(code)
  }

  private clearAttempt(): void {
    this.pendingSocket = null
    if (this.handshakeTimer) clearTimeout(this.handshakeTimer)
    this.handshakeTimer = null
  }

  private openConnection(socket: LinkSocket, { region, url, migrationCount }: PrimaryInfo): void {
    this.clearAttempt()
    socket.markAuthenticated()
    this.connection = new LinkConnection<PrimaryFrame, ReplicaFrame>(socket, {
      parse: parsePrimaryFrame,
      onMessage: (message) => this.handleMessage(message),
      onEnd: (code) => this.handleEnd(code),
      onTick: () => this.ping(),
    })
    this.linkedAt = performance.now()
    this.options.log.info({ to: region, url, migrationCount }, 'linked to the primary')
    this.ping()
    for (const listener of this.linkedListeners) listener({ region, url })
  }

  private handleEnd(code: number): void {
    this.connection = null
    this.lastRoundTripMs = null
    if (performance.now() - this.linkedAt >= STABLE_LINK_MS) this.failures = 0
    this.options.log.warn({ url: this.url, code }, 'unlinked from the primary')
    for (const listener of this.unlinkedListeners) listener()
    this.scheduleRetry()
  }

  private ping(): void {
    this.pingSentAt = performance.now()
    this.connection?.send({ kind: 'ping', id: ++this.lastPingId })
  }

  private handleMessage(message: PrimaryFrame): void {
    if (message.kind !== 'pong') {
      for (const listener of this.messageListeners) listener(message)
      return
    }
    if (message.id !== this.lastPingId) return // a round trip of more than a second measures no clock
    const now = performance.now()
    this.lastRoundTripMs = now - this.pingSentAt
    this.options.clock.addSample(message.clock, this.pingSentAt, now)
  }
}
