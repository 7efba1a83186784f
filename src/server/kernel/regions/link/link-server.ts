import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { type Position, ZERO_POSITION } from '../../database/position.ts'
import { atMostEntries } from '../../limits/at-most-entries.ts'
import { TokenBucket } from '../../limits/token-bucket.ts'
import { createChallenge, createServerHello, type PeerInfo, type PrimaryInfo, verifyClient } from './handshake.ts'
import { LinkClose, LinkConnection, type LinkSocket } from './link-connection.ts'
import {
  type PrimaryFrame,
  type PrimaryMessage,
  parseReplicaFrame,
  type ReplicaFrame,
  type ReplicaMessage,
} from './link-messages.ts'

/** Limit of one handshake. */
const HANDSHAKE_TIMEOUT_MS = 3_000

/** Unauthenticated sockets in all, and of one address. */
const MAX_PENDING = 64

const MAX_PENDING_PER_ADDRESS = 8

/** Remembered addresses of authenticated regions. */
const MAX_TRUSTED_ADDRESSES = 100

/** What one region may send, in bytes: 8 MiB at once, then 8 MiB a second, many times what a busy site needs. */
const LINK_RATE = { points: 8 * 1024 * 1024, perMs: 1_000 }

/** Minimum cost of a frame: a short one takes as much work as one of this size. */
const MIN_FRAME_COST_BYTES = 512

/** Commands of one region that may be under way before more are refused with Busy. */
const MAX_IN_FLIGHT_COMMANDS = 2_000

export interface LinkServerOptions extends PrimaryInfo {
  /** `keys.link`. */
  key: KeyObject
  /** The cluster clock, which replicas learn. */
  clock: () => number
  /** The local position, sent to every replica once a second. */
  position: () => Position
  log: Logger
}

/** A region that is linked to this primary. */
export interface LinkedRegion {
  readonly region: string
  /** Whether it may become the primary. */
  readonly isCandidate: boolean
  /** The URL of its site for other regions. */
  readonly url: string
  /** The last position that it reported; null before the first. */
  position(): Position | null
  send(message: PrimaryMessage): void
}

/** The primary's end of the links. It rejects every socket until `setAccepting(true)`. */
export class LinkServer {
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

  regions(): LinkedRegion[] {
    return [...this.replicas.values()]
  }

  onMessage(listener: (from: LinkedRegion, message: ReplicaMessage) => void): void {
    this.messageListeners.push(listener)
  }

  onLinked(listener: (region: LinkedRegion) => void): void {
    this.linkedListeners.push(listener)
  }

  onUnlinked(listener: (region: LinkedRegion) => void): void {
    this.unlinkedListeners.push(listener)
  }

  /** Accepts links from now on, or rejects new ones and ends those that are open. */
  setAccepting(isPrimary: boolean): void {
    this.isAccepting = isPrimary
    if (isPrimary) return
    this.pendingHandshakes.rejectAll(LinkClose.notPrimary)
    for (const replica of [...this.replicas.values()]) replica.connection.end(LinkClose.notPrimary)
  }

  close(): void {
    this.setAccepting(false)
  }

  /**
   * Starts the handshake on an open socket: a WebSocket (link-socket.ts), or one end of a `createLinkSocketPair()`.
   * Pending handshakes are limited by `address`.
   */
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
    const verified = verifyClient(this.options.key, nonce, answer)
    if (!verified) return void socket.close(LinkClose.authenticationFailed)
    if (verified.peer.region === this.options.region) return void socket.close(LinkClose.connectedToSelf)
    this.pendingHandshakes.trustAddress(address)
    const { key, region, url, migrationCount } = this.options
    this.replicas.get(verified.peer.region)?.connection.end(LinkClose.replaced)
    socket.markAuthenticated()
    socket.send(createServerHello(key, nonce, verified.body, { region, url, migrationCount }))
    this.addReplica(socket, verified.peer)
  }

  private addReplica(socket: LinkSocket, peer: PeerInfo): void {
    const replica = new ConnectedReplica(peer, (self) => this.openConnection(self, socket), this.options.log)
    this.replicas.set(peer.region, replica)
    const { region: from, url, migrationCount } = peer
    this.options.log.info({ from, url, migrationCount }, 'replica linked')
    for (const listener of this.linkedListeners) listener(replica)
  }

  private openConnection(replica: ConnectedReplica, socket: LinkSocket): ReplicaConnection {
    const rateLimit = new LinkRateLimit()
    return new LinkConnection<ReplicaFrame, PrimaryFrame>(socket, {
      parse: parseReplicaFrame,
      onMessage: (message) => this.handleMessage(replica, message),
      onEnd: (code) => this.removeReplica(replica, code),
      onTick: () => replica.send({ kind: 'position', id: 0, position: this.options.position() }),
      pauseMsAfter: (bytes) => rateLimit.consume(bytes),
    })
  }

  private removeReplica(replica: ConnectedReplica, code: number): void {
    this.replicas.delete(replica.region)
    this.options.log.info({ from: replica.region, code }, 'replica unlinked')
    for (const listener of this.unlinkedListeners) listener(replica)
  }

  private handleMessage(from: ConnectedReplica, message: ReplicaFrame): void {
    if (message.kind === 'ping') {
      from.connection.send({ kind: 'pong', id: message.id, clock: this.options.clock() })
      return
    }
    if (message.kind === 'position') from.lastPosition = message.position
    if (message.kind === 'command' && !from.admitCommand(message.id)) return
    for (const listener of this.messageListeners) listener(from, message)
  }
}

type ReplicaConnection = LinkConnection<ReplicaFrame, PrimaryFrame>

class ConnectedReplica implements LinkedRegion {
  readonly region: string
  readonly isCandidate: boolean
  readonly url: string
  readonly connection: ReplicaConnection
  lastPosition: Position | null = null
  private readonly inFlightIds = new Set<number>()
  private readonly log: Logger

  constructor(peer: PeerInfo, open: (self: ConnectedReplica) => ReplicaConnection, log: Logger) {
    this.region = peer.region
    this.isCandidate = peer.isCandidate
    this.url = peer.url
    this.log = log
    this.connection = open(this)
  }

  position(): Position | null {
    return this.lastPosition
  }

  readonly send = (message: PrimaryMessage): void => {
    if (message.kind === 'answer' || message.kind === 'indeterminate') this.inFlightIds.delete(message.id)
    if (this.connection.send(message) !== 'tooLarge') return
    this.log.error({ to: this.region, kind: message.kind }, 'message too large for the link')
    if (message.kind === 'answer') this.refuseCommand('Failed', message.id, message.position)
  }

  /** False when the region has too many commands under way: then this one has been refused. */
  admitCommand(id: number): boolean {
    const isBusy = this.inFlightIds.size >= MAX_IN_FLIGHT_COMMANDS
    if (isBusy) this.refuseCommand('Busy', id, ZERO_POSITION)
    else this.inFlightIds.add(id)
    return !isBusy
  }

  private refuseCommand(code: 'Busy' | 'Failed', id: number, position: Position): void {
    this.connection.send({ kind: 'answer', id, refusal: refuse(code).body, position })
  }
}

/** Limits the bytes of one region. An arrived frame is always read; the next ones wait. */
export class LinkRateLimit {
  private readonly bucket = new TokenBucket(LINK_RATE)

  /** Counts a frame. Answers for how many milliseconds to pause reading, 0 within the limit. */
  consume(bytes: number): number {
    return this.bucket.overdraw(Math.max(bytes, MIN_FRAME_COST_BYTES), performance.now())
  }
}

/**
 * Sockets that are not authenticated yet. When there are too many, the oldest is rejected: a region needs two round trips
 * only, so idle sockets cannot keep one out. Sockets from an address of an authenticated region are not rejected for
 * others, so that a flood cannot keep a known region from reconnecting.
 */
export class PendingHandshakes {
  private readonly trustedAddresses = new LRUCache<string, true>(atMostEntries(MAX_TRUSTED_ADDRESSES))
  private readonly sockets = new Map<LinkSocket, { address: string; timer: NodeJS.Timeout }>()

  add(socket: LinkSocket, address: string): void {
    const all = [...this.sockets]
    const sameAddress = all.filter(([, pending]) => pending.address === address)
    const untrusted = all.filter(([, pending]) => !this.trustedAddresses.has(pending.address))
    if (sameAddress.length >= MAX_PENDING_PER_ADDRESS) this.reject(sameAddress[0]?.[0])
    else if (untrusted.length >= MAX_PENDING && !this.trustedAddresses.has(address)) this.reject(untrusted[0]?.[0])
    this.sockets.set(socket, { address, timer: setTimeout(() => this.reject(socket), HANDSHAKE_TIMEOUT_MS).unref() })
  }

  /** The socket was authenticated or closed. False when it was rejected before. */
  remove(socket: LinkSocket): boolean {
    clearTimeout(this.sockets.get(socket)?.timer)
    return this.sockets.delete(socket)
  }

  /** A region authenticated itself from this address. */
  trustAddress(address: string): void {
    this.trustedAddresses.set(address, true)
  }

  reject(socket: LinkSocket | undefined, code: number = LinkClose.authenticationFailed): void {
    if (socket && this.remove(socket)) socket.close(code)
  }

  rejectAll(code: number): void {
    for (const socket of [...this.sockets.keys()]) this.reject(socket, code)
  }
}
