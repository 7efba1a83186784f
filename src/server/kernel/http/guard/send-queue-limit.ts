import { readFile } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'
import { addressGroup } from '../client-address.ts'

/** The bytes of a TCP connection that the system holds until the peer acknowledges them. */
export interface SendQueue {
  /** The peer, as `remoteAddress` of its socket writes it. */
  address: string
  port: number
  bytes: number
}

/** The smallest unit in which Linux counts the memory of TCP. */
const PAGE_BYTES = 4096

/** Bounds what the system holds for the clients of one address that do not read. */
export class SendQueueLimit {
  private readonly maxBytes: number
  private readonly sockets = new Map<string, Socket>()
  private full = new Set<string>()

  /** @param maxBytes of all send queues of one address together */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  add(socket: Socket): void {
    const peer = peerKey(socket.remoteAddress, socket.remotePort)
    this.sockets.set(peer, socket)
    socket.once('close', () => this.sockets.delete(peer))
  }

  /** Whether connections of the address that were closed with unread bytes exceed the bound. Only the system can end them. */
  isFull(group: string): boolean {
    return this.full.has(group)
  }

  /** The sockets to be reset, so that no address has too much; called about once a second. */
  async findExcess(localPort: number): Promise<Socket[]> {
    const isPossible = (await readTcpBytes()) > this.maxBytes
    return this.excessOf(isPossible ? await readSendQueues(localPort) : [])
  }

  /** Of each address those with the longest queues, as many as its excess takes. */
  excessOf(queues: SendQueue[]): Socket[] {
    this.full = new Set()
    const excess: Socket[] = []
    for (const [group, own] of Map.groupBy(queues, ({ address }) => addressGroup(address))) {
      let rest = own.reduce((sum, { bytes }) => sum + bytes, 0)
      for (const { address, port, bytes } of own.sort((a, b) => b.bytes - a.bytes)) {
        const socket = this.sockets.get(peerKey(address, port))
        if (!socket || rest <= this.maxBytes) continue
        excess.push(socket)
        rest -= bytes
      }
      if (rest > this.maxBytes) this.full.add(group)
    }
    return excess
  }
}

function peerKey(address: string | undefined, port: number | undefined): string {
  return `${address} ${port}`
}

/** Memory of all TCP connections of the machine. Zero where the system does not tell it (not Linux). */
async function readTcpBytes(): Promise<number> {
  return Number(/^TCP:.* mem (\d+)/m.exec(await readText('/proc/net/sockstat'))?.[1] ?? 0) * PAGE_BYTES
}

/**
 * The send queues of a local port that are not empty, also those of connections that this process has closed. The system
 * takes about 10 ms for it, in a thread.
 */
export async function readSendQueues(localPort: number): Promise<SendQueue[]> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(readText))
  return tables.flatMap((table) => parseSendQueues(table, localPort))
}

/** @param table as in Documentation/networking/proc_net_tcp.rst of Linux */
export function parseSendQueues(table: string, localPort: number): SendQueue[] {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0')
  const rows = table.matchAll(
    new RegExp(`: [0-9A-F]+:${port} ([0-9A-F]+):([0-9A-F]{4}) .. (?!0{8})([0-9A-F]{8}):`, 'g'),
  )
  return Array.from(rows, ([, address = '', remotePort = '', bytes = '']) => ({
    address: parseAddress(address),
    port: Number.parseInt(remotePort, 16),
    bytes: Number.parseInt(bytes, 16),
  }))
}

/** @param hex words of 32 bits in the byte order of the machine, which is little-endian */
function parseAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32()
  if (bytes.length === 4) return bytes.join('.')
  const groups = bytes.toString('hex').match(/.{4}/g) ?? []
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'latin1').catch(() => '')
}
