import { decodeServerFrame, encode, Kind, type Payload, type ServerValue } from '../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../shared/text/limits.ts'
import type { FrameLine } from './simulated-sockets.ts'

/** A line on which nothing was heard for so long is given up, as the browser does. */
const SILENCE_MS = 60_000

/** `none`: the line ended first, or nothing came in time. */
export type Reply = { answer: Payload } | { refusal: RefusalBody } | 'none'

export interface LineListener {
  /** A request was answered: told at once, before whatever follows in the same frame. */
  answer(name: string, answer: Payload): void
  event(seq: number, name: string, payload: Payload): void
  moment(name: string, payload: Payload): void
  /** The other end closed it, it broke, or it was silent for too long. Nothing more is told. */
  ended(code: number | 'silent'): void
}

/** A browser's end of one line: requests and what belongs to them, and whether it is alive. */
export class SimulatedLine {
  private readonly end: FrameLine
  private readonly listener: LineListener
  private readonly requests = new Map<number, { name: string; resolve: (reply: Reply) => void }>()
  private lastId = 0
  private heardAt = Date.now()
  private isOver = false

  constructor(end: FrameLine, listener: LineListener) {
    this.end = end
    this.listener = listener
    end.onMessage = (frame) => {
      // A browser answers pings by itself, and its page hears nothing of them.
      if (frame === 'ping') end.send('pong')
      if (typeof frame === 'string') return
      this.heardAt = Date.now()
      for (const value of decodeServerFrame(frame)) if (!this.isOver) this.take(value)
    }
    end.onClose = (code) => this.isOver || listener.ended(code)
    this.watch()
  }

  request(name: string, input: Payload): Promise<Reply> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.requests.set(id, { name, resolve })
      setTimeout(() => this.settle(id, 'none'), CONNECT_TIMEOUT_MS)
      this.end.send(encode([Kind.request, id, name, input]))
    })
  }

  /** Lets go of it: what it still says is not heard, and what was asked has no reply. */
  close(): void {
    this.isOver = true
    this.end.close()
    for (const id of [...this.requests.keys()]) this.settle(id, 'none')
  }

  private take(value: ServerValue): void {
    if (value[0] === Kind.answer) this.settle(value[1], { answer: value[2] })
    else if (value[0] === Kind.refusal) this.settle(value[1], { refusal: value[2] })
    else if (value[0] === Kind.event) this.listener.event(value[1], value[2], value[3])
    else this.listener.moment(value[1], value[2])
  }

  private settle(id: number, reply: Reply): void {
    const asked = this.requests.get(id)
    this.requests.delete(id)
    if (asked && reply !== 'none' && 'answer' in reply) this.listener.answer(asked.name, reply.answer)
    asked?.resolve(reply)
  }

  private watch(): void {
    setTimeout(() => {
      if (this.isOver) return
      if (Date.now() - this.heardAt > SILENCE_MS) this.listener.ended('silent')
      else this.watch()
    }, SILENCE_MS / 2)
  }
}
