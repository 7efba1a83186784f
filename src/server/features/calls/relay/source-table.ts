import type { Leg } from './leg.ts'

/** Where packets of a source are sent: a UDP socket, or one connection over TCP, which ignores address and port. */
export interface Endpoint {
  send(data: Buffer, port: number, address: string): void
  /** Its source is no longer one: a connection is closed. */
  release(): void
}

/** A transport address that has sent an authentic check for a leg. */
export class Source {
  readonly leg: Leg
  readonly endpoint: Endpoint
  readonly address: string
  readonly port: number
  /** Whether one of its checks had USE-CANDIDATE. */
  hasNominated = false
  /** Monotonic milliseconds of its last valid check. */
  checkedAt = 0
  /** Another source of the same port, in `SourceTable`. */
  next: Source | null = null

  constructor(leg: Leg, endpoint: Endpoint, address: string, port: number) {
    this.leg = leg
    this.endpoint = endpoint
    this.address = address
    this.port = port
  }
}

/**
 * Sources by UDP endpoint, address and port. Looked up for each packet: an array by port, then a comparison of the address,
 * needs neither a key to be built nor a hash.
 */
export class SourceTable {
  private readonly byPort: (Source | null)[] = new Array<Source | null>(65_536).fill(null)
  size = 0

  find(endpoint: Endpoint, address: string, port: number): Source | null {
    let source = this.byPort[port] ?? null
    while (source !== null && (source.address !== address || source.endpoint !== endpoint)) source = source.next
    return source
  }

  add(source: Source): void {
    source.next = this.byPort[source.port] ?? null
    this.byPort[source.port] = source
    this.size++
  }

  remove(source: Source): void {
    let previous: Source | null = null
    let current = this.byPort[source.port] ?? null
    while (current !== null && current !== source) {
      previous = current
      current = current.next
    }
    if (current === null) return
    if (previous === null) this.byPort[source.port] = source.next
    else previous.next = source.next
    source.next = null
    this.size--
  }
}
