import { LinkClose, type LinkSocket } from './link-line.ts'

/** How long a socket has to prove itself. */
const PROOF_MS = 3_000
/** Unproven sockets in all, and those of one address. */
const MAX_STRANGERS = 64
const MAX_AN_ADDRESS = 8

/**
 * The sockets that have not proven themselves yet. Where there are too many the oldest goes: a region proves itself
 * within two round trips, so idle strangers, however many, keep none out.
 */
export class Strangers {
  private readonly known = new Map<LinkSocket, { address: string; late: NodeJS.Timeout }>()

  add(socket: LinkSocket, address: string): void {
    const neighbours = [...this.known].filter(([, stranger]) => stranger.address === address)
    const oldest = neighbours.length >= MAX_AN_ADDRESS ? neighbours[0]?.[0] : this.known.keys().next().value
    if (oldest && (neighbours.length >= MAX_AN_ADDRESS || this.known.size >= MAX_STRANGERS)) this.drop(oldest)
    this.known.set(socket, { address, late: setTimeout(() => this.drop(socket), PROOF_MS).unref() })
  }

  /** It proved itself or went. False when it was dropped before. */
  forget(socket: LinkSocket): boolean {
    clearTimeout(this.known.get(socket)?.late)
    return this.known.delete(socket)
  }

  drop(socket: LinkSocket, code: number = LinkClose.notProven): void {
    if (this.forget(socket)) socket.close(code)
  }

  dropAll(code: number): void {
    for (const socket of [...this.known.keys()]) this.drop(socket, code)
  }
}
