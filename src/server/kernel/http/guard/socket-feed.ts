import type { Socket } from 'node:net'
import type { EventLoopBudget } from '../../limits/event-loop-budget.ts'

/** Most bytes that the parser gets at a time, unless a head ends earlier. */
const MAX_SLICE_BYTES = 2048
const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

type Parse = (bytes: Buffer) => void

/**
 * Passes the bytes of a socket to Node's HTTP parser in slices of at most one head each. Node itself parses all of a packet
 * in one turn, and a packet of 64 KB can hold 2,400 requests. The rest waits while the socket is full, and while its key has
 * spent its time of the turn; the socket is paused meanwhile.
 */
export class SocketFeed {
  private readonly socket: Socket
  private readonly key: string
  private readonly budget: EventLoopBudget
  private readonly isFull: () => boolean
  private parse: Parse
  private rest: Buffer = NOTHING
  /** Paused because the socket is full. */
  private isHeld = false
  /** The next slice may be parsed in this turn. */
  private isGranted = false
  private isDetached = false

  /** @param socket one that the HTTP server has just accepted: its listener of `data` is the parser */
  constructor(socket: Socket, key: string, budget: EventLoopBudget, isFull: () => boolean) {
    const [parse] = socket.listeners('data')
    if (!parse) throw new Error('the HTTP server does not listen to its socket')
    this.socket = socket
    this.key = key
    this.budget = budget
    this.isFull = isFull
    this.parse = parse as Parse // Node's listener of 'data'
    socket.on('data', this.receive)
    socket.off('data', this.parse)
    socket.on('resume', this.feed)
  }

  /** Continues after a request of a full socket has ended. */
  release(): void {
    if (!this.isHeld) return
    this.isHeld = false
    this.socket.resume()
  }

  /** Leaves the socket to another protocol, with the bytes that were not parsed. */
  detach(): void {
    this.isDetached = true
    this.socket.off('data', this.receive)
    this.socket.off('resume', this.feed)
    if (this.rest.length > 0) this.socket.unshift(this.rest)
    this.rest = NOTHING
    this.parse = () => {} // so that the HTTP parser does not stay in memory
  }

  private readonly receive = (chunk: Buffer): void => {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    this.feed()
  }

  /** The HTTP server pauses the socket too, when its answers are not read; `resume` follows in either case. */
  private readonly feed = (): void => {
    const { socket, budget, key } = this
    while (this.rest.length > 0 && !this.isDetached && !socket.isPaused() && !socket.destroyed) {
      if (this.isFull()) this.hold()
      else if (!this.isGranted && budget.isSpent(key)) this.waitForTurn()
      else this.parseSlice()
    }
  }

  private parseSlice(): void {
    this.isGranted = false
    const startedAt = performance.now()
    this.parse(this.takeSlice())
    this.budget.spend(this.key, performance.now() - startedAt)
  }

  private hold(): void {
    this.isHeld = true
    this.socket.pause()
  }

  private waitForTurn(): void {
    this.socket.pause()
    this.budget.run(this.key, () => {
      this.isGranted = true
      this.socket.resume()
    })
  }

  private takeSlice(): Buffer {
    const { rest } = this
    const headEnd = rest.subarray(0, MAX_SLICE_BYTES).indexOf(HEAD_END)
    const length = headEnd === -1 ? MAX_SLICE_BYTES : headEnd + HEAD_END.length
    this.rest = rest.subarray(length)
    return rest.subarray(0, length)
  }
}
