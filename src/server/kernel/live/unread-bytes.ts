import { addressGroup } from '../http/client-address.ts'
import type { Connection } from './connection.ts'

/** The connections of one address that had unsent bytes. */
interface AddressBytes {
  /** The sum of `byConnection`; too high by the bytes that were sent since then. */
  total: number
  /** The unsent bytes of each connection when it was last measured. */
  readonly byConnection: Map<Connection, number>
}

/** Bounds what the server holds for the clients of one address that do not read. */
export class UnreadBytes {
  private readonly maxBytes: number
  private readonly addresses = new Map<string, AddressBytes>()

  /** @param maxBytes of all connections of one address together */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /**
   * Records the unsent bytes of a connection after a send. When its address has too many, returns the connection that has
   * the most of them, to be closed. Connections without an address, which come through an unlisted proxy, are not counted.
   */
  record(connection: Connection, bytes: number): Connection | null {
    if (bytes === 0 || connection.address === null) return null
    const address = this.addressOf(connection, addressGroup(connection.address))
    address.total += bytes - (address.byConnection.get(connection) ?? 0)
    address.byConnection.set(connection, bytes)
    return address.total > this.maxBytes ? this.measure(address) : null
  }

  private addressOf(connection: Connection, key: string): AddressBytes {
    const address = this.addresses.get(key) ?? { total: 0, byConnection: new Map() }
    this.addresses.set(key, address)
    if (!address.byConnection.has(connection)) connection.onClosed(() => this.remove(key, address, connection))
    return address
  }

  private remove(key: string, address: AddressBytes, connection: Connection): void {
    address.total -= address.byConnection.get(connection) ?? 0
    address.byConnection.delete(connection)
    if (address.byConnection.size === 0) this.addresses.delete(key)
  }

  /** Measures all connections of the address. Returns the one with most unsent bytes, or null if the sum is in bounds. */
  private measure(address: AddressBytes): Connection | null {
    let largest: Connection | null = null
    address.total = 0
    for (const connection of address.byConnection.keys()) {
      const bytes = connection.transport.bufferedBytes()
      if (!largest || bytes > (address.byConnection.get(largest) ?? 0)) largest = connection
      address.byConnection.set(connection, bytes)
      address.total += bytes
    }
    return address.total > this.maxBytes ? largest : null
  }
}
