import { LRUCache } from 'lru-cache'
import { LinkClose, type LinkSocket } from './link-connection.ts'

/** How long a socket has to prove itself. */
const HANDSHAKE_TIMEOUT_MS = 3_000
/** Unproven sockets in all, and those of one address. */
const MAX_PENDING = 64
const MAX_PENDING_PER_ADDRESS = 8
/** Addresses that regions came from last. */
const MAX_TRUSTED_ADDRESSES = 100

/**
 * The sockets that have not proven themselves yet. Where there are too many the oldest goes: a region proves itself
 * within two round trips, so idle strangers, however many, keep none out. Whoever comes from an address that a region has
 * proven itself from makes room for nobody, so that a flood keeps no region from coming back.
 */
export class PendingHandshakes {
  private readonly trustedAddresses = new LRUCache<string, true>({ max: MAX_TRUSTED_ADDRESSES })
  private readonly sockets = new Map<LinkSocket, { address: string; late: NodeJS.Timeout }>()

  add(socket: LinkSocket, address: string): void {
    const all = [...this.sockets]
    const neighbours = all.filter(([, stranger]) => stranger.address === address)
    const others = all.filter(([, stranger]) => !this.trustedAddresses.has(stranger.address))
    if (neighbours.length >= MAX_PENDING_PER_ADDRESS) this.reject(neighbours[0]?.[0])
    else if (others.length >= MAX_PENDING && !this.trustedAddresses.has(address)) this.reject(others[0]?.[0])
    this.sockets.set(socket, { address, late: setTimeout(() => this.reject(socket), HANDSHAKE_TIMEOUT_MS).unref() })
  }

  /** It proved itself or went. False when it was dropped before. */
  remove(socket: LinkSocket): boolean {
    clearTimeout(this.sockets.get(socket)?.late)
    return this.sockets.delete(socket)
  }

  /** A region has proven itself from this address. */
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
