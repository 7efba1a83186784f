import { CloseCode } from '../../shared/protocol/frame.ts'
import type { World } from '../world.ts'
import { Connection, type Transport } from './connection.ts'
import { receive } from './dispatch.ts'
import { encodeMoment } from './publish.ts'

const HELLO_MS = 5_000
const PING_MS = 25_000
const MISSED_PONGS = 2
/** Connections are pinged in turns, so that 5,000 pings do not go out in one instant. */
const TURNS = 25

/** What a transport tells of its connection. */
export interface Line {
  receive(bytes: Uint8Array): void
  pong(): void
  closed(): void
}

/** Every open connection of the region: opens them, keeps them alive, ends them. */
export class Lines {
  private readonly world: World
  private readonly open = new Set<Connection>()
  private readonly pinging: NodeJS.Timeout
  private turn = 0

  constructor(world: World) {
    this.world = world
    this.pinging = setInterval(() => this.pingTurn(), PING_MS / TURNS)
    this.pinging.unref()
  }

  get size(): number {
    return this.open.size
  }

  /** @param address the client's own (http/client-address.ts, `ownAddress`) */
  accept(transport: Transport, address: string | null = null): Line {
    const { world } = this
    const connection = new Connection(transport, world.settings.limitScale, address)
    this.open.add(connection)
    const late = setTimeout(() => this.endUnlessGreeted(connection), HELLO_MS)
    return {
      receive: (bytes) => receive(world, connection, bytes),
      pong: () => connection.pong(),
      closed: () => {
        clearTimeout(late)
        this.forget(connection)
      },
    }
  }

  /** Tells everyone that the region goes down; what was asked before is still answered. */
  announceShutdown(message: string): void {
    const value = encodeMoment('serverShutdown', { message })
    for (const connection of this.open) this.world.publisher.push(connection, value)
  }

  /** Sends what waits and closes every connection. */
  close(): void {
    clearInterval(this.pinging)
    for (const connection of this.open) this.world.publisher.end(connection, CloseCode.shuttingDown, 'shutting down')
  }

  private endUnlessGreeted(connection: Connection): void {
    if (!connection.identity) this.world.publisher.end(connection, CloseCode.notSignedIn, 'no hello in time')
  }

  private forget(connection: Connection): void {
    const { presence, publisher, duplicates } = this.world
    this.open.delete(connection)
    connection.closed = true
    publisher.unsubscribeAll(connection)
    // Whoever was shut out is gone at once; any other line may be back within a moment.
    presence.depart(connection, connection.closedWith === CloseCode.banned ? 'left' : 'broken')
    if (connection.identity) duplicates.resolve(connection.identity.viewer.userId)
  }

  private pingTurn(): void {
    this.turn = (this.turn + 1) % TURNS
    const { publisher } = this.world
    const cursor = encodeMoment('cursor', { cursor: publisher.cursor() })
    for (const connection of this.open) {
      if (connection.id % TURNS !== this.turn) continue
      if (connection.unansweredPings >= MISSED_PONGS) {
        publisher.end(connection, CloseCode.tooFast, 'no pong')
        continue
      }
      connection.ping()
      if (connection.identity && connection.quiet) publisher.push(connection, cursor)
      connection.quiet = true
    }
  }
}
