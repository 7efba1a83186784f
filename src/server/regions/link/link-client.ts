import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { createFrameMac } from './frame-mac.ts'
import { answerChallenge, type FrameKeys, type PeerInfo, type PrimaryInfo, verifyServer } from './handshake.ts'
import { LinkClose, LinkConnection, type LinkSocket, MAX_BUFFERED_BYTES } from './link-connection.ts'
import { type Ping, type Pong, parsePrimaryMessage } from './link-messages.ts'
import type { ClusterClock, LinkClient, PrimaryMessage, ReplicaMessage } from './link-protocol.ts'

/** How long connecting and the handshake may take. */
const HANDSHAKE_TIMEOUT_MS = 4_000
/** How long after a failure the next try comes: at once after the first, then later and later. */
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 2_000
/** A link that held for so long starts the tries anew when it breaks. */
const STABLE_LINK_MS = 2_000
/** Beyond this nothing more is taken for sending, so that a hub that reads slowly is noticed before the line ends. */
const MAX_UNSENT_BYTES = MAX_BUFFERED_BYTES / 2

export interface LinkClientOptions extends PeerInfo {
  /** `keys.link`. */
  key: KeyObject
  /** Opens a socket to the site at this URL: `dialWebSocket`, or one end of a `linkPair()` in memory. */
  openSocket: (url: string) => LinkSocket
  /** Learns the hub's clock. */
  clock: ClusterClock
  log: Logger
  /** For the jitter of the retries, from 0 to 1. */
  random?: () => number
}

/** A replica's end of the link: it keeps one line to whoever `dial` named last. */
export function createLinkClient(options: LinkClientOptions): LinkClient {
  return new ReconnectingLinkClient(options)
}

type PrimaryConnection = LinkConnection<PrimaryMessage | Pong, ReplicaMessage | Ping>

class ReconnectingLinkClient implements LinkClient {
  private readonly options: LinkClientOptions
  private readonly random: () => number
  private readonly messageListeners: ((message: PrimaryMessage) => void)[] = []
  private readonly linkedListeners: ((hub: { region: string; url: string }) => void)[] = []
  private readonly unlinkedListeners: (() => void)[] = []
  private url: string | null = null
  private failures = 0
  /** The socket of the try that is under way, and null while there is none. */
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

  isLinked = () => this.connection !== null
  roundTripMs = () => (this.connection ? this.lastRoundTripMs : null)
  onMessage = (listener: (message: PrimaryMessage) => void) => void this.messageListeners.push(listener)
  onLinked = (listener: (hub: { region: string; url: string }) => void) => void this.linkedListeners.push(listener)
  onUnlinked = (listener: () => void) => void this.unlinkedListeners.push(listener)
  close = () => this.connectTo(null)

  connectTo(url: string | null): void {
    if (url === this.url) return
    this.url = url
    this.failures = 0
    this.abortAttempt()
    if (this.connection) this.connection.end(LinkClose.normal)
    else this.scheduleRetry()
  }

  send(message: ReplicaMessage): boolean {
    if (!this.connection) return false
    if (this.connection.bufferedBytes() > MAX_UNSENT_BYTES) {
      // What is said has to arrive while the line lasts: all is told anew on the next one.
      if (message.kind === 'relay') this.connection.end(LinkClose.tooSlow)
      return false
    }
    const sent = this.connection.send(message)
    if (sent === 'tooLarge') this.options.log.error({ kind: message.kind }, 'a message is too large for the link')
    return sent === 'sent'
  }

  private scheduleRetry(): void {
    const { url } = this
    if (url === null || this.retryTimer) return
    const backOff = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** (this.failures - 1))
    const wait = this.failures === 0 ? 0 : backOff * (0.5 + this.random() / 2)
    this.failures++
    this.retryTimer = setTimeout(() => {
      this.retryTimer = null
      this.connect(url)
    }, wait)
  }

  private connect(url: string): void {
    const socket = this.options.openSocket(url)
    this.pendingSocket = socket
    this.handshakeTimer = setTimeout(() => this.handleFailure(socket, LinkClose.timedOut), HANDSHAKE_TIMEOUT_MS)
    socket.onClose((code) => this.handleFailure(socket, code))
    socket.onFrame((frame) => {
      if (socket !== this.pendingSocket) return
      const asked = answerChallenge(this.options.key, frame, this.peerInfo())
      if (!asked) return this.handleFailure(socket, LinkClose.authenticationFailed)
      socket.onFrame((answer) => {
        if (socket !== this.pendingSocket) return
        const hub = verifyServer(this.options.key, asked, answer)
        if (hub) this.openConnection(socket, hub.who, hub.keys)
        else this.handleFailure(socket, LinkClose.authenticationFailed)
      })
      socket.send(asked.frame)
    })
  }

  private peerInfo(): PeerInfo {
    const { region, url, code, isCandidate } = this.options
    return { region, url, code, isCandidate }
  }

  private handleFailure(socket: LinkSocket, code: number): void {
    if (socket !== this.pendingSocket) return
    this.options.log.debug({ url: this.url, code }, 'no link to the primary')
    this.abortAttempt(code)
    // Who is told to lead is the primary any moment now.
    if (code === LinkClose.notPrimary) this.failures = 1
    this.scheduleRetry()
  }

  /** Ends the try that is under way, and the one that is to come. */
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

  private openConnection(socket: LinkSocket, hub: PrimaryInfo, keys: FrameKeys): void {
    this.clearAttempt()
    socket.markAuthenticated()
    const seals = { in: createFrameMac(keys.serverToClient), out: createFrameMac(keys.clientToServer) }
    this.connection = new LinkConnection<PrimaryMessage | Pong, ReplicaMessage | Ping>(socket, seals, {
      parse: parsePrimaryMessage,
      onMessage: (message) => this.handleMessage(message),
      onEnd: (code) => this.handleEnd(code),
      onTick: () => this.ping(),
    })
    this.linkedAt = performance.now()
    this.options.log.info({ to: hub.region, url: hub.url, code: hub.code }, 'linked to the primary')
    this.ping()
    for (const tell of this.linkedListeners) tell({ region: hub.region, url: hub.url })
  }

  private handleEnd(code: number): void {
    this.connection = null
    this.lastRoundTripMs = null
    if (performance.now() - this.linkedAt >= STABLE_LINK_MS) this.failures = 0
    this.options.log.warn({ url: this.url, code }, 'the link to the primary has ended')
    for (const tell of this.unlinkedListeners) tell()
    this.scheduleRetry()
  }

  private ping(): void {
    this.pingSentAt = performance.now()
    this.connection?.send({ kind: 'ping', id: ++this.lastPingId })
  }

  private handleMessage(message: PrimaryMessage | Pong): void {
    if (message.kind !== 'pong') {
      for (const tell of this.messageListeners) tell(message)
      return
    }
    if (message.id !== this.lastPingId) return // an answer that took longer than a second says little of the time
    const now = performance.now()
    this.lastRoundTripMs = now - this.pingSentAt
    this.options.clock.addSample(message.clock, this.pingSentAt, now)
  }
}
