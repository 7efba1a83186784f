import type { SeededRandom } from './seeded-random.ts'

/** Close code of a connection that ends without a close frame (RFC 6455, section 7.4.1). */
export const ABNORMAL_CLOSURE = 1006

/** One end of an ordered connection. */
export interface SocketEnd<Sent, Received> {
  send(value: Sent): void
  /** Closes the connection: values in flight still arrive, then the code. */
  close(code?: number, reason?: string): void
  /** Ends the connection as a killed process does: values in flight are lost, and the other end closes abnormally. */
  drop(): void
  readonly isOpen: boolean
  onMessage: (value: Received) => void
  onClose: (code: number, reason: string) => void
}

interface NetworkPath {
  from: string
  to: string
  /** Values in flight, oldest first. */
  inFlight: { arrivesAt: number; arrive: () => void }[]
  lastArrivalAt: number
  isClosed: boolean
}

/** A network between named nodes with latency, partitions and ordered connections; all random choices come from a seed. */
export class SimulatedNetwork {
  /** Range of the latency, drawn for each value. */
  latencyMs = { min: 1, max: 20 }
  private readonly random: SeededRandom
  private readonly partitions = new Set<string>()
  private readonly paths = new Set<NetworkPath>()
  private readonly sockets = new Set<{ between: string; break: () => void }>()

  constructor(random: SeededRandom) {
    this.random = random
  }

  isPartitioned(a: string, b: string): boolean {
    return this.partitions.has(pairKey(a, b))
  }

  /** Delivers nothing between the two until `heal`. With `breaksSockets` their connections close at once. */
  partition(a: string, b: string, breaksSockets: boolean): void {
    this.partitions.add(pairKey(a, b))
    if (breaksSockets) this.breakSockets(pairKey(a, b))
  }

  /** Ends a partition and delivers the values that it held back. */
  heal(a: string, b: string): void {
    if (!this.partitions.delete(pairKey(a, b))) return
    for (const path of this.paths) if (pairKey(path.from, path.to) === pairKey(a, b)) this.deliverDue(path)
  }

  healAll(): void {
    for (const partition of [...this.partitions]) {
      const [a = '', b = ''] = partition.split(' ')
      this.heal(a, b)
    }
  }

  /** Opens a connection between two nodes; both ends are open at once. */
  openSocketPair<A, B>(a: string, b: string): { a: SocketEnd<A, B>; b: SocketEnd<B, A> } {
    const forward = this.openPath(a, b)
    const backward = this.openPath(b, a)
    const connection = { between: pairKey(a, b), break: () => {} }
    const closePaths = () => {
      for (const path of [forward, backward]) this.closePath(path)
      this.sockets.delete(connection)
    }
    const endA = this.createEnd<A, B>(forward, () => endB, closePaths)
    const endB: InternalSocketEnd<B, A> = this.createEnd<B, A>(backward, () => endA, closePaths)
    connection.break = () => {
      closePaths()
      endA.onEnded(ABNORMAL_CLOSURE, '')
      endB.onEnded(ABNORMAL_CLOSURE, '')
    }
    this.sockets.add(connection)
    return { a: endA, b: endB }
  }

  private breakSockets(between: string): void {
    for (const connection of [...this.sockets]) if (connection.between === between) connection.break()
  }

  private createEnd<Sent, Received>(
    path: NetworkPath,
    otherEnd: () => InternalSocketEnd<Received, Sent>,
    closePaths: () => void,
  ): InternalSocketEnd<Sent, Received> {
    const end: InternalSocketEnd<Sent, Received> = {
      isOpen: true,
      onMessage: () => {},
      onClose: () => {},
      send: (value) => {
        if (end.isOpen) this.enqueueArrival(path, () => otherEnd().isOpen && otherEnd().onMessage(value))
      },
      close: (code = 1000, reason = '') => {
        if (!end.isOpen) return
        end.isOpen = false
        this.enqueueArrival(path, () => {
          closePaths()
          otherEnd().onEnded(code, reason)
          end.onClose(code, reason)
        })
      },
      drop: () => {
        end.isOpen = false
        end.onMessage = () => {}
        end.onClose = () => {}
        path.inFlight = []
        this.enqueueArrival(path, () => {
          closePaths()
          otherEnd().onEnded(ABNORMAL_CLOSURE, '')
        })
      },
      onEnded: (code, reason) => {
        if (!end.isOpen) return
        end.isOpen = false
        end.onClose(code, reason)
      },
    }
    return end
  }

  private openPath(from: string, to: string): NetworkPath {
    const path: NetworkPath = { from, to, inFlight: [], lastArrivalAt: 0, isClosed: false }
    this.paths.add(path)
    return path
  }

  private closePath(path: NetworkPath): void {
    path.isClosed = true
    path.inFlight = []
    this.paths.delete(path)
  }

  private enqueueArrival(path: NetworkPath, arrive: () => void): void {
    if (path.isClosed) return
    const arrivesAt = Math.max(
      path.lastArrivalAt,
      Date.now() + Math.floor(this.random.float(this.latencyMs.min, this.latencyMs.max)),
    )
    path.lastArrivalAt = arrivesAt
    path.inFlight.push({ arrivesAt, arrive })
    setTimeout(() => this.deliverDue(path), arrivesAt - Date.now())
  }

  /** Delivers all values that are due, unless the path is partitioned. */
  private deliverDue(path: NetworkPath): void {
    while (!path.isClosed && !this.isPartitioned(path.from, path.to)) {
      const next = path.inFlight[0]
      if (!next || next.arrivesAt > Date.now()) return
      path.inFlight.shift()
      next.arrive()
    }
  }
}

interface InternalSocketEnd<Sent, Received> extends SocketEnd<Sent, Received> {
  isOpen: boolean
  onEnded(code: number, reason: string): void
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
