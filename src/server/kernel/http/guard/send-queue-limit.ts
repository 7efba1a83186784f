import type { Socket } from 'node:net'
import { addressGroup } from '../client-address.ts'
import { readSendQueues, readTcpBytes, type SendQueue } from './send-queues.ts'

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
