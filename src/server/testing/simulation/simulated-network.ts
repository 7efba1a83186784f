import type { SeededRandom } from './seeded-random.ts'

/** How a broken line ends where nothing was said (RFC 6455, section 7.4.1). */
export const ABNORMAL_CLOSURE = 1006

/** One end of a line that keeps order. */
export interface SocketEnd<Sent, Heard> {
  send(value: Sent): void
  /** Ends the line: what was sent before still arrives, then the code. */
  close(code?: number, reason?: string): void
  /** Ends it as a process does that is killed: nothing more arrives on either side. */
  drop(): void
  readonly isOpen: boolean
  onMessage: (value: Heard) => void
  onClose: (code: number, reason: string) => void
}

interface NetworkPath {
  from: string
  to: string
  /** What was sent and did not arrive, oldest first. */
  inFlight: { at: number; arrive: () => void }[]
  lastArrivalAt: number
  isClosed: boolean
}

/** A network between named places: it delays, it cuts, it keeps the order of each line. All of it follows from a seed. */
export class SimulatedNetwork {
  /** Milliseconds that a value takes, drawn anew for each. */
  latencyMs = { least: 1, most: 20 }
  private readonly random: SeededRandom
  private readonly partitions = new Set<string>()
  private readonly paths = new Set<NetworkPath>()
  private readonly sockets = new Set<{ between: string; break: () => void }>()

  constructor(chance: SeededRandom) {
    this.random = chance
  }

  isPartitioned(a: string, b: string): boolean {
    return this.partitions.has(pairKey(a, b))
  }

  /** Nothing arrives between the two from now on. Lines stay, silent, unless they are to break at once. */
  partition(a: string, b: string, breaksLines: boolean): void {
    this.partitions.add(pairKey(a, b))
    if (breaksLines) this.breakSockets(pairKey(a, b))
  }

  /** What was held arrives now. */
  heal(a: string, b: string): void {
    if (!this.partitions.delete(pairKey(a, b))) return
    for (const way of this.paths) if (pairKey(way.from, way.to) === pairKey(a, b)) this.deliverDue(way)
  }

  healAll(): void {
    for (const cut of [...this.partitions]) {
      const [a = '', b = ''] = cut.split(' ')
      this.heal(a, b)
    }
  }

  /** A new line; both ends are open at once. */
  openSocketPair<A, B>(a: string, b: string): { a: SocketEnd<A, B>; b: SocketEnd<B, A> } {
    const there = this.openPath(a, b)
    const back = this.openPath(b, a)
    const line = { between: pairKey(a, b), break: () => {} }
    const over = () => {
      for (const way of [there, back]) this.closePath(way)
      this.sockets.delete(line)
    }
    const endA = this.createEnd<A, B>(there, () => endB, over)
    const endB: InternalSocketEnd<B, A> = this.createEnd<B, A>(back, () => endA, over)
    line.break = () => {
      over()
      endA.onEnded(ABNORMAL_CLOSURE, '')
      endB.onEnded(ABNORMAL_CLOSURE, '')
    }
    this.sockets.add(line)
    return { a: endA, b: endB }
  }

  private breakSockets(between: string): void {
    for (const line of [...this.sockets]) if (line.between === between) line.break()
  }

  private createEnd<Sent, Heard>(
    way: NetworkPath,
    other: () => InternalSocketEnd<Heard, Sent>,
    over: () => void,
  ): InternalSocketEnd<Sent, Heard> {
    const end: InternalSocketEnd<Sent, Heard> = {
      isOpen: true,
      onMessage: () => {},
      onClose: () => {},
      send: (value) => {
        if (end.isOpen) this.enqueueArrival(way, () => other().isOpen && other().onMessage(value))
      },
      close: (code = 1000, reason = '') => {
        if (!end.isOpen) return
        end.isOpen = false
        this.enqueueArrival(way, () => {
          over()
          other().onEnded(code, reason)
          end.onClose(code, reason)
        })
      },
      drop: () => {
        end.isOpen = false
        end.onMessage = () => {}
        end.onClose = () => {}
        way.inFlight = []
        this.enqueueArrival(way, () => {
          over()
          other().onEnded(ABNORMAL_CLOSURE, '')
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
    const way: NetworkPath = { from, to, inFlight: [], lastArrivalAt: 0, isClosed: false }
    this.paths.add(way)
    return way
  }

  private closePath(way: NetworkPath): void {
    way.isClosed = true
    way.inFlight = []
    this.paths.delete(way)
  }

  private enqueueArrival(way: NetworkPath, arrive: () => void): void {
    if (way.isClosed) return
    const at = Math.max(
      way.lastArrivalAt,
      Date.now() + Math.floor(this.random.float(this.latencyMs.least, this.latencyMs.most)),
    )
    way.lastArrivalAt = at
    way.inFlight.push({ at, arrive })
    setTimeout(() => this.deliverDue(way), at - Date.now())
  }

  /** Everything that is due arrives, unless the way is cut. */
  private deliverDue(way: NetworkPath): void {
    while (!way.isClosed && !this.isPartitioned(way.from, way.to)) {
      const next = way.inFlight[0]
      if (!next || next.at > Date.now()) return
      way.inFlight.shift()
      next.arrive()
    }
  }
}

interface InternalSocketEnd<Sent, Heard> extends SocketEnd<Sent, Heard> {
  isOpen: boolean
  onEnded(code: number, reason: string): void
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
