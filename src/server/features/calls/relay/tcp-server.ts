import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { addressGroup } from '../../../kernel/http/client-address.ts'
import { type Forwarder, MAX_PACKET_BYTES } from './forwarder.ts'
import { COUNTERS, type SharedRelayState } from './shared-state.ts'
import type { Endpoint, Source } from './source-table.ts'
import type { RelayLimits } from './worker-protocol.ts'

const LENGTH_BYTES = 2

/** A connection that has brought as many packets without a valid check is none of a browser. */
const MAX_REFUSED_PACKETS = 8
/** What a packet costs besides its bytes: many small ones take as long as a few large ones. */
const PACKET_COST_BYTES = 100

interface TcpOptions {
  forwarder: Forwarder
  state: SharedRelayState
  limits: RelayLimits
  /** Monotonic milliseconds. */
  now: () => number
}

/**
 * The connections over TCP of one worker (RFC 6544: passive candidates), for networks without UDP. A connection belongs to one
 * leg by a valid check, and is closed without one. When too many wait for theirs, one of the address with most of them goes.
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
    if (this.pending.size > limits.tcpPending) this.dropPending()
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

  /** Begins another second: each connection may be read again. */
  renewAllowances(): void {
    for (const connection of this.open) connection.renewAllowance()
  }

  close(): void {
    for (const connection of this.open) connection.release()
  }

  /** Drops the oldest of the address with most: a browser keeps its connection though others flood with theirs. */
  private dropPending(): void {
    const byAddress = Map.groupBy(this.pending, ({ address }) => addressGroup(address))
    const [most] = [...byAddress.values()].toSorted((one, other) => other.length - one.length)
    const oldest = most?.[0]
    if (!oldest) return
    this.pending.delete(oldest)
    oldest.release()
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
  readonly address: string
  private readonly port: number
  private readonly reader = new FrameReader(MAX_PACKET_BYTES)
  private source: Source | null = null
  private refusedPackets = 0
  /** Bytes that may still be read in this second. */
  private allowance: number
  /** When the backlog became full; null while it is not. */
  private stalledAt: number | null = null

  constructor(owner: TcpConnections, socket: Socket, address: string, port: number, now: number) {
    this.owner = owner
    this.socket = socket
    this.address = address
    this.port = port
    this.openedAt = now
    this.allowance = owner.options.limits.bytesPerSecond
    const onPacket = (packet: Buffer) => this.receive(packet)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      if (!this.reader.read(chunk, onPacket)) this.release()
      this.allowance -= chunk.length
      // TCP makes the sender wait. Read and dropped instead, its packets would keep those of other calls waiting.
      if (this.allowance < 0) socket.pause()
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

  renewAllowance(): void {
    this.allowance = this.owner.options.limits.bytesPerSecond
    if (this.socket.isPaused()) this.socket.resume()
  }

  release(): void {
    this.socket.destroy()
  }

  /** Returns whether the connection is still open. */
  private receive(packet: Buffer): boolean {
    const { forwarder } = this.owner.options
    this.allowance -= PACKET_COST_BYTES
    if ((packet[0] ?? 255) < 4) this.receiveStun(packet)
    else if (!this.source) this.refuse()
    // One of no bytes means nothing (RFC 4571, section 2).
    else if (packet.length > 0) forwarder.receiveMedia(packet, this.source)
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

/** A packet with its length before it (RFC 4571, section 2). */
export function encodeFrame(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length)
  frame.writeUInt16BE(packet.length, 0)
  packet.copy(frame, LENGTH_BYTES)
  return frame
}

/** Takes a byte stream apart into the packets of RFC 4571. Keeps at most one incomplete packet. */
export class FrameReader {
  private readonly maxPacketBytes: number
  private incomplete: Buffer | null = null

  constructor(maxPacketBytes: number) {
    this.maxPacketBytes = maxPacketBytes
  }

  /**
   * Calls `onPacket` for each complete packet, also one of no bytes, until it returns false. A packet is a view of `chunk` or
   * of a copy, and stays unchanged. Returns false when a length is beyond the maximum: the stream cannot be read further.
   */
  read(chunk: Buffer, onPacket: (packet: Buffer) => boolean): boolean {
    const data = this.incomplete ? Buffer.concat([this.incomplete, chunk]) : chunk
    let at = 0
    while (data.length - at >= LENGTH_BYTES) {
      const length = data.readUInt16BE(at)
      if (length > this.maxPacketBytes) return false
      const end = at + LENGTH_BYTES + length
      if (end > data.length) break
      if (!onPacket(data.subarray(at + LENGTH_BYTES, end))) return true
      at = end
    }
    // A copy, so that a few bytes do not keep a whole chunk.
    this.incomplete = at < data.length ? Buffer.from(data.subarray(at)) : null
    return true
  }
}
