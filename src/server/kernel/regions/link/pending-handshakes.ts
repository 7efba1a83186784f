import { LRUCache } from 'lru-cache'
import { LinkClose, type LinkSocket } from './link-connection.ts'

/** Limit of one handshake. */
const HANDSHAKE_TIMEOUT_MS = 3_000
/** Unauthenticated sockets in all, and of one address. */
const MAX_PENDING = 64
const MAX_PENDING_PER_ADDRESS = 8
/** Remembered addresses of authenticated regions. */
const MAX_TRUSTED_ADDRESSES = 100

/**
 * Sockets that are not authenticated yet. When there are too many, the oldest is rejected: a region needs two round trips
 * only, so idle sockets cannot keep one out. Sockets from an address of an authenticated region are not rejected for
 * others, so that a flood cannot keep a known region from reconnecting.
 */
export class PendingHandshakes {
  private readonly trustedAddresses = new LRUCache<string, true>({ max: MAX_TRUSTED_ADDRESSES })
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
