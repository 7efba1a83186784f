import { LinkClose, type LinkSocket } from './link-line.ts'

/** How long a socket has to prove itself. */
const PROOF_MS = 3_000
/** Unproven sockets in all, and those of one address. */
const MAX_STRANGERS = 64
const MAX_AN_ADDRESS = 8
/** Addresses that regions came from last. */
const MAX_TRUSTED = 100

/**
 * The sockets that have not proven themselves yet. Where there are too many the oldest goes: a region proves itself
 * within two round trips, so idle strangers, however many, keep none out. Whoever comes from an address that a region has
 * proven itself from makes room for nobody, so that a flood keeps no region from coming back.
 */
export class Strangers {
  private readonly trusted = new Set<string>()
  private readonly known = new Map<LinkSocket, { address: string; late: NodeJS.Timeout }>()

  add(socket: LinkSocket, address: string): void {
    const all = [...this.known]
    const neighbours = all.filter(([, stranger]) => stranger.address === address)
    const others = all.filter(([, stranger]) => !this.trusted.has(stranger.address))
    if (neighbours.length >= MAX_AN_ADDRESS) this.drop(neighbours[0]?.[0])
    else if (others.length >= MAX_STRANGERS && !this.trusted.has(address)) this.drop(others[0]?.[0])
    this.known.set(socket, { address, late: setTimeout(() => this.drop(socket), PROOF_MS).unref() })
  }

  /** It proved itself or went. False when it was dropped before. */
  forget(socket: LinkSocket): boolean {
    clearTimeout(this.known.get(socket)?.late)
    return this.known.delete(socket)
  }

  /** A region has proven itself from this address. */
  trust(address: string): void {
    this.trusted.delete(address)
    this.trusted.add(address)
    const [first] = this.trusted
    if (first !== undefined && this.trusted.size > MAX_TRUSTED) this.trusted.delete(first)
  }

  drop(socket: LinkSocket | undefined, code: number = LinkClose.notProven): void {
    if (socket && this.forget(socket)) socket.close(code)
  }

  dropAll(code: number): void {
    for (const socket of [...this.known.keys()]) this.drop(socket, code)
  }
}
