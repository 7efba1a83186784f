import type { Chance } from './simulated-chance.ts'

/** How a broken line ends where nothing was said (RFC 6455, section 7.4.1). */
export const LINE_LOST = 1006

/** One end of a line that keeps order. */
export interface LineEnd<Sent, Heard> {
  send(value: Sent): void
  /** Ends the line: what was sent before still arrives, then the code. */
  close(code?: number, reason?: string): void
  /** Ends it as a process does that is killed: nothing more arrives on either side. */
  drop(): void
  readonly isOpen: boolean
  onMessage: (value: Heard) => void
  onClose: (code: number, reason: string) => void
}

interface Way {
  from: string
  to: string
  /** What was sent and did not arrive, oldest first. */
  held: { at: number; arrive: () => void }[]
  lastAt: number
  isOver: boolean
}

/** A network between named places: it delays, it cuts, it keeps the order of each line. All of it follows from a seed. */
export class SimulatedNetwork {
  /** Milliseconds that a value takes, drawn anew for each. */
  lag = { least: 1, most: 20 }
  private readonly chance: Chance
  private readonly cuts = new Set<string>()
  private readonly ways = new Set<Way>()
  private readonly lines = new Set<{ between: string; break: () => void }>()

  constructor(chance: Chance) {
    this.chance = chance
  }

  isCut(a: string, b: string): boolean {
    return this.cuts.has(pair(a, b))
  }

  /** Nothing arrives between the two from now on. Lines stay, silent, unless they are to break at once. */
  cut(a: string, b: string, breaksLines: boolean): void {
    this.cuts.add(pair(a, b))
    if (breaksLines) this.breakLines(pair(a, b))
  }

  /** What was held arrives now. */
  heal(a: string, b: string): void {
    if (!this.cuts.delete(pair(a, b))) return
    for (const way of this.ways) if (pair(way.from, way.to) === pair(a, b)) this.release(way)
  }

  healAll(): void {
    for (const cut of [...this.cuts]) {
      const [a = '', b = ''] = cut.split(' ')
      this.heal(a, b)
    }
  }

  /** A new line; both ends are open at once. */
  line<A, B>(a: string, b: string): { a: LineEnd<A, B>; b: LineEnd<B, A> } {
    const there = this.way(a, b)
    const back = this.way(b, a)
    const line = { between: pair(a, b), break: () => {} }
    const over = () => {
      for (const way of [there, back]) this.endWay(way)
      this.lines.delete(line)
    }
    const endA = this.end<A, B>(there, () => endB, over)
    const endB: End<B, A> = this.end<B, A>(back, () => endA, over)
    line.break = () => {
      over()
      endA.ended(LINE_LOST, '')
      endB.ended(LINE_LOST, '')
    }
    this.lines.add(line)
    return { a: endA, b: endB }
  }

  private breakLines(between: string): void {
    for (const line of [...this.lines]) if (line.between === between) line.break()
  }

  private end<Sent, Heard>(way: Way, other: () => End<Heard, Sent>, over: () => void): End<Sent, Heard> {
    const end: End<Sent, Heard> = {
      isOpen: true,
      onMessage: () => {},
      onClose: () => {},
      send: (value) => {
        if (end.isOpen) this.carry(way, () => other().isOpen && other().onMessage(value))
      },
      close: (code = 1000, reason = '') => {
        if (!end.isOpen) return
        end.isOpen = false
        this.carry(way, () => {
          over()
          other().ended(code, reason)
          end.onClose(code, reason)
        })
      },
      drop: () => {
        end.isOpen = false
        end.onMessage = () => {}
        end.onClose = () => {}
        way.held = []
        this.carry(way, () => {
          over()
          other().ended(LINE_LOST, '')
        })
      },
      ended: (code, reason) => {
        if (!end.isOpen) return
        end.isOpen = false
        end.onClose(code, reason)
      },
    }
    return end
  }

  private way(from: string, to: string): Way {
    const way: Way = { from, to, held: [], lastAt: 0, isOver: false }
    this.ways.add(way)
    return way
  }

  private endWay(way: Way): void {
    way.isOver = true
    way.held = []
    this.ways.delete(way)
  }

  private carry(way: Way, arrive: () => void): void {
    if (way.isOver) return
    const at = Math.max(way.lastAt, Date.now() + Math.floor(this.chance.between(this.lag.least, this.lag.most)))
    way.lastAt = at
    way.held.push({ at, arrive })
    setTimeout(() => this.release(way), at - Date.now())
  }

  /** Everything that is due arrives, unless the way is cut. */
  private release(way: Way): void {
    while (!way.isOver && !this.isCut(way.from, way.to)) {
      const next = way.held[0]
      if (!next || next.at > Date.now()) return
      way.held.shift()
      next.arrive()
    }
  }
}

interface End<Sent, Heard> extends LineEnd<Sent, Heard> {
  isOpen: boolean
  ended(code: number, reason: string): void
}

function pair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
