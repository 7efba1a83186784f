import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { addressGroup } from '../../http/client-address.ts'
import { type Forwarder, MAX_PACKET_BYTES } from './forwarder.ts'
import { COUNTERS, type SharedRelayState } from './shared-state.ts'
import type { Endpoint, Source } from './source-table.ts'
import { encodeFrame, FrameReader } from './tcp-framing.ts'
import type { RelayLimits } from './worker-protocol.ts'

/** A connection that has brought as many packets without a valid check is none of a browser. */
const MAX_REFUSED_PACKETS = 8

interface TcpOptions {
  forwarder: Forwarder
  state: SharedRelayState
  limits: RelayLimits
  /** Monotonic milliseconds. */
  now: () => number
}

/**
 * The connections over TCP of one worker (RFC 6544: passive candidates), for networks without UDP. A connection belongs to one
 * leg by a valid check, and is closed without one. When too many wait for theirs, the oldest goes.
 */
export class TcpConnections {
  readonly options: TcpOptions
  private readonly open = new Set<TcpConnection>()
  private readonly pending = new Set<TcpConnection>()
  private readonly countByAddress = new Map<string, number>()

  constructor(options: TcpOptions) {
    this.options = options
  }

  /** Takes a new connection, or refuses it. */
  add(socket: Socket): void {
    const { limits, now } = this.options
    const { remoteAddress, remotePort } = socket
    const group = addressGroup(remoteAddress ?? '')
    const ofAddress = this.countByAddress.get(group) ?? 0
    const isFull = this.open.size >= limits.tcpConnections || ofAddress >= limits.tcpConnectionsPerAddress
    if (isFull || remoteAddress === undefined || remotePort === undefined) {
      socket.on('error', () => {}) // it has been reset
      socket.destroy()
      return
    }
    const connection = new TcpConnection(this, socket, remoteAddress, remotePort, now())
    this.open.add(connection)
    this.pending.add(connection)
    this.setCount(group, ofAddress + 1)
    const [oldest] = this.pending
    if (oldest && this.pending.size > limits.tcpPending) {
      this.pending.delete(oldest)
      oldest.release()
    }
    socket.once('close', () => {
      this.open.delete(connection)
      this.pending.delete(connection)
      this.setCount(group, (this.countByAddress.get(group) ?? 0) - 1)
    })
  }

  /** A valid check came over this connection. */
  markChecked(connection: TcpConnection): void {
    this.pending.delete(connection)
  }

  /** Closes the connections that have not brought a valid check in time. */
  closeOverdue(): void {
    const { limits, now } = this.options
    for (const connection of this.pending) {
      if (now() - connection.openedAt < limits.tcpCheckTimeoutMs) return
      connection.release()
    }
  }

  close(): void {
    for (const connection of this.open) connection.release()
  }

  private setCount(group: string, ofAddress: number): void {
    if (ofAddress > 0) this.countByAddress.set(group, ofAddress)
    else this.countByAddress.delete(group)
    this.options.state.set(COUNTERS.tcpConnections, this.open.size)
  }
}

/** One connection: a source of its own, whose packets have their lengths before them. */
class TcpConnection implements Endpoint {
  readonly openedAt: number
  private readonly owner: TcpConnections
  private readonly socket: Socket
  private readonly address: string
  private readonly port: number
  private readonly reader = new FrameReader(MAX_PACKET_BYTES)
  private source: Source | null = null
  private refusedPackets = 0
  /** When the backlog became full; null while it is not. */
  private stalledAt: number | null = null

  constructor(owner: TcpConnections, socket: Socket, address: string, port: number, now: number) {
    this.owner = owner
    this.socket = socket
    this.address = address
    this.port = port
    this.openedAt = now
    const onPacket = (packet: Buffer) => this.receive(packet)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      if (!this.reader.read(chunk, onPacket)) this.release()
    })
    socket.on('error', () => {}) // 'close' follows
    socket.once('close', () => {
      if (this.source) owner.options.forwarder.dropSource(this.source)
    })
  }

  /** Sends a packet, or drops it while the reader is too slow; one that stays so is disconnected. */
  send(data: Buffer): void {
    const { forwarder, limits, now } = this.owner.options
    if (this.socket.writableLength + data.length <= limits.tcpBacklogBytes) {
      this.stalledAt = null
      this.socket.write(encodeFrame(data))
      return
    }
    forwarder.drop('tcpBacklog')
    this.stalledAt ??= now()
    if (now() - this.stalledAt > limits.tcpStallTimeoutMs) this.release()
  }

  release(): void {
    this.socket.destroy()
  }

  /** Returns whether the connection is still open. */
  private receive(packet: Buffer): boolean {
    const { forwarder } = this.owner.options
    if ((packet[0] ?? 255) < 4) this.receiveStun(packet)
    else if (this.source) forwarder.receiveMedia(packet, this.source)
    else this.refuse()
    return !this.socket.destroyed
  }

  private receiveStun(packet: Buffer): void {
    const { address, port, owner } = this
    const source = owner.options.forwarder.receiveStun(packet, this.source, this, address, port)
    if (source) {
      this.source = source
      owner.markChecked(this)
    } else if (!this.source) this.refuse()
  }

  private refuse(): void {
    this.owner.options.forwarder.drop('unknownSource')
    if (++this.refusedPackets >= MAX_REFUSED_PACKETS) this.release()
  }
}

/** Listens for connections. Rejects with the system's error. */
export async function openTcpServer(
  host: string,
  port: number,
  connections: TcpConnections,
  onError: (error: Error) => void,
): Promise<Server> {
  const server = createServer((socket) => connections.add(socket))
  server.listen({ host, port, ipv6Only: isIPv6(host) })
  await once(server, 'listening')
  server.on('error', onError)
  return server
}
