import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { AppContext } from '../app-context.ts'
import { Connection, isOpen, type Transport } from './connection.ts'
import { encodeEphemeral } from './publisher.ts'

const HELLO_TIMEOUT_MS = 5_000
const PING_INTERVAL_MS = 25_000
const MAX_MISSED_PONGS = 2
/** Connections are pinged in groups, so that 5,000 pings do not go out at once. */
const PING_GROUPS = 25

/** All connections of the region: opens, pings and closes them. */
export class ConnectionRegistry {
  private readonly appContext: AppContext
  /** Each connection with the timer that ends it without a hello. */
  private readonly connections = new Map<Connection, NodeJS.Timeout>()
  private readonly pingTimer: NodeJS.Timeout
  private pingGroup = 0

  constructor(appContext: AppContext) {
    this.appContext = appContext
    this.pingTimer = setInterval(() => this.pingNextGroup(), PING_INTERVAL_MS / PING_GROUPS)
    this.pingTimer.unref()
  }

  get size(): number {
    return this.connections.size
  }

  /**
   * The transport then passes frames to `receiveFrame` (dispatch.ts), pongs to the connection and its close to
   * `removeConnection`.
   * @param address the client's, from `attributableAddress` (http/client-address.ts)
   */
  openConnection(transport: Transport, address: string | null = null): Connection {
    const connection = new Connection(transport, this.appContext.config.limitScale, address)
    const helloTimer = setTimeout(() => this.endIfNoHello(connection), HELLO_TIMEOUT_MS)
    this.connections.set(connection, helloTimer)
    return connection
  }

  /** The transport has closed. */
  removeConnection(connection: Connection): void {
    const { presence, publisher, duplicates } = this.appContext
    clearTimeout(this.connections.get(connection))
    this.connections.delete(connection)
    const { code } = connection.markClosed(null)
    publisher.unsubscribeAll(connection)
    // A banned user leaves at once; after any other close the client may reconnect within the grace period.
    presence.removeConnection(connection, code === CloseCode.banned ? 'left' : 'disconnected')
    if (connection.identity) duplicates.notifyIfAlone(connection.identity.viewer.userId)
  }

  /** Sends `serverShutdown` to every connection. Commands already received are still answered. */
  announceShutdown(message: string): void {
    const value = encodeEphemeral('serverShutdown', { message })
    for (const connection of this.connections.keys()) this.appContext.publisher.enqueue(connection, value)
  }

  /** Flushes and closes every connection. */
  close(): void {
    clearInterval(this.pingTimer)
    for (const connection of this.connections.keys())
      this.appContext.publisher.endConnection(connection, CloseCode.shuttingDown, 'shutting down')
  }

  private endIfNoHello(connection: Connection): void {
    if (!isOpen(connection))
      this.appContext.publisher.endConnection(connection, CloseCode.notSignedIn, 'no hello in time')
  }

  private pingNextGroup(): void {
    this.pingGroup = (this.pingGroup + 1) % PING_GROUPS
    const { publisher } = this.appContext
    const cursor = encodeEphemeral('cursor', { cursor: publisher.cursor() })
    for (const connection of this.connections.keys()) {
      if (connection.id % PING_GROUPS !== this.pingGroup) continue
      if (connection.unansweredPings >= MAX_MISSED_PONGS) {
        publisher.endConnection(connection, CloseCode.rateLimited, 'no pong')
        continue
      }
      connection.ping()
      if (isOpen(connection) && connection.isIdle) publisher.enqueue(connection, cursor)
      connection.isIdle = true
    }
  }
}
