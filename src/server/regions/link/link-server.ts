import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { writeRegistry } from '../../database/write-registry.ts'
import { type Position, ZERO_POSITION } from '../replication/position.ts'
import { createFrameMac } from './frame-mac.ts'
import {
  createChallenge,
  createServerHello,
  type FrameKeys,
  type PeerInfo,
  type PrimaryInfo,
  verifyClient,
} from './handshake.ts'
import { LinkClose, LinkConnection, type LinkSocket } from './link-connection.ts'
import { type Ping, type Pong, parseReplicaMessage } from './link-messages.ts'
import type { LinkedRegion, LinkServer, PrimaryMessage, ReplicaMessage } from './link-protocol.ts'
import { LinkRateLimit } from './link-rate-limit.ts'
import { PendingHandshakes } from './pending-handshakes.ts'

/** Commands that one region may have under way before more are refused with Busy. */
const MAX_IN_FLIGHT_COMMANDS = 2_000

export interface LinkServerOptions extends PrimaryInfo {
  /** `keys.link`. */
  key: KeyObject
  /** The site's clock, which diallers learn. */
  clock: () => number
  /** How far this region has come: told to every line once a second. */
  position: () => Position
  log: Logger
}

export interface LinkAcceptor extends LinkServer {
  /**
   * Takes a socket that somebody opened: of a WebSocket (link-socket.ts), or one end of a `linkPair()` in memory.
   * `address` is what strangers are counted by.
   */
  accept(socket: LinkSocket, address: string): void
}

/** The primary's end of the link; shut until `open(true)`. */
export function createLinkServer(options: LinkServerOptions): LinkAcceptor {
  return new PrimaryLinkServer(options)
}

class PrimaryLinkServer implements LinkAcceptor {
  private readonly options: LinkServerOptions
  private readonly pendingHandshakes = new PendingHandshakes()
  private readonly replicas = new Map<string, ConnectedReplica>()
  private readonly messageListeners: ((from: LinkedRegion, message: ReplicaMessage) => void)[] = []
  private readonly linkedListeners: ((region: LinkedRegion) => void)[] = []
  private readonly unlinkedListeners: ((region: LinkedRegion) => void)[] = []
  private isAccepting = false

  constructor(options: LinkServerOptions) {
    this.options = options
  }

  regions = (): LinkedRegion[] => [...this.replicas.values()]
  onMessage = (listener: (from: LinkedRegion, message: ReplicaMessage) => void) =>
    void this.messageListeners.push(listener)
  onLinked = (listener: (region: LinkedRegion) => void) => void this.linkedListeners.push(listener)
  onUnlinked = (listener: (region: LinkedRegion) => void) => void this.unlinkedListeners.push(listener)
  close = () => this.setAccepting(false)

  setAccepting(isPrimary: boolean): void {
    this.isAccepting = isPrimary
    if (isPrimary) return
    this.pendingHandshakes.rejectAll(LinkClose.notPrimary)
    for (const region of [...this.replicas.values()]) region.connection.end(LinkClose.notPrimary)
  }

  accept(socket: LinkSocket, address: string): void {
    if (!this.isAccepting) {
      socket.close(LinkClose.notPrimary)
      return
    }
    this.pendingHandshakes.add(socket, address)
    const { frame, nonce } = createChallenge()
    socket.onClose(() => this.pendingHandshakes.remove(socket))
    socket.onFrame((answer) => {
      if (this.pendingHandshakes.remove(socket)) this.authenticate(socket, address, nonce, answer)
    })
    socket.send(frame)
  }

  private authenticate(socket: LinkSocket, address: string, nonce: Uint8Array, answer: Uint8Array): void {
    const proven = verifyClient(this.options.key, nonce, answer)
    const isItself = proven?.who.region === this.options.region
    if (proven && !isItself) {
      this.pendingHandshakes.trustAddress(address)
      this.acceptReplica(socket, nonce, proven)
    } else socket.close(isItself ? LinkClose.connectedToSelf : LinkClose.authenticationFailed)
  }

  private acceptReplica(
    socket: LinkSocket,
    nonce: Uint8Array,
    { who, body }: { who: PeerInfo; body: Uint8Array },
  ): void {
    this.replicas.get(who.region)?.connection.end(LinkClose.replaced)
    const { key, region, url, code } = this.options
    const { frame, keys } = createServerHello(key, nonce, body, { region, url, code })
    socket.markAuthenticated()
    socket.send(frame)
    const linked = new ConnectedReplica(who, (self) => this.openConnection(self, socket, keys), this.options.log)
    this.replicas.set(who.region, linked)
    this.options.log.info({ from: who.region, url: who.url, code: who.code }, 'a region has linked')
    for (const tell of this.linkedListeners) tell(linked)
  }

  private openConnection(linked: ConnectedReplica, socket: LinkSocket, keys: FrameKeys): ReplicaConnection {
    const allowance = new LinkRateLimit()
    return new LinkConnection<ReplicaMessage | Ping, PrimaryMessage | Pong>(
      socket,
      { in: createFrameMac(keys.clientToServer), out: createFrameMac(keys.serverToClient) },
      {
        parse: parseReplicaMessage,
        onMessage: (message) => this.handleMessage(linked, message),
        onEnd: (code) => this.removeReplica(linked, code),
        onTick: () => linked.send({ kind: 'position', id: 0, position: this.options.position() }),
        pauseMsAfter: (bytes) => allowance.consume(bytes),
      },
    )
  }

  private removeReplica(linked: ConnectedReplica, code: number): void {
    this.replicas.delete(linked.region)
    this.options.log.info({ from: linked.region, code }, 'the link of a region has ended')
    for (const tell of this.unlinkedListeners) tell(linked)
  }

  private handleMessage(from: ConnectedReplica, message: ReplicaMessage | Ping): void {
    if (message.kind === 'ping') {
      from.connection.send({ kind: 'pong', id: message.id, clock: this.options.clock() })
      return
    }
    if (message.kind === 'position') from.lastPosition = message.position
    if (message.kind === 'command' && !from.admitCommand(message)) return
    for (const tell of this.messageListeners) tell(from, message)
  }
}

type ReplicaConnection = LinkConnection<ReplicaMessage | Ping, PrimaryMessage | Pong>

class ConnectedReplica implements LinkedRegion {
  readonly region: string
  readonly isCandidate: boolean
  readonly url: string
  readonly connection: ReplicaConnection
  lastPosition: Position | null = null
  private readonly inFlightIds = new Set<number>()
  private readonly log: Logger

  constructor(who: PeerInfo, start: (self: ConnectedReplica) => ReplicaConnection, log: Logger) {
    this.region = who.region
    this.isCandidate = who.isCandidate
    this.url = who.url
    this.log = log
    this.connection = start(this)
  }

  position = () => this.lastPosition

  send = (message: PrimaryMessage): void => {
    if (message.kind === 'answer' || message.kind === 'indeterminate') this.inFlightIds.delete(message.id)
    if (this.connection.send(message) !== 'tooLarge') return
    this.log.error({ to: this.region, kind: message.kind }, 'a message is too large for the link')
    if (message.kind === 'answer') this.refuseCommand('Failed', message.id, message.position)
  }

  /** Whether the command goes on to the writer; otherwise it is refused here. */
  admitCommand({ id, envelope }: Extract<ReplicaMessage, { kind: 'command' }>): boolean {
    const isKnown = writeRegistry.has(envelope.command)
    const isBusy = this.inFlightIds.size >= MAX_IN_FLIGHT_COMMANDS
    if (!isKnown || isBusy) this.refuseCommand(isKnown ? 'Busy' : 'UnknownCommand', id, ZERO_POSITION)
    else this.inFlightIds.add(id)
    return isKnown && !isBusy
  }

  private refuseCommand(code: 'Busy' | 'Failed' | 'UnknownCommand', id: number, position: Position): void {
    this.connection.send({ kind: 'answer', id, refusal: refuse(code).body, position })
  }
}
