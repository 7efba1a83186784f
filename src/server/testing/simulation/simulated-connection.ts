import { decodeServerFrame, encode, Kind, type Payload, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import type { FrameSocket } from './socket-adapters.ts'

/** A line on which nothing was heard for so long is given up, as the browser does. */
const SILENCE_MS = 60_000

/** `none`: the line ended first, or nothing came in time. */
export type Reply = { answer: Payload } | { refusal: RefusalBody } | 'none'

export interface ConnectionListener {
  /** A request was answered: told at once, before whatever follows in the same frame. */
  onAnswer(name: string, answer: Payload): void
  onEvent(seq: number, name: string, payload: Payload): void
  onEphemeral(name: string, payload: Payload): void
  /** The other end closed it, it broke, or it was silent for too long. Nothing more is told. */
  onEnd(code: number | 'silent'): void
}

/** A browser's end of one line: requests and what belongs to them, and whether it is alive. */
export class SimulatedConnection {
  private readonly socket: FrameSocket
  private readonly listener: ConnectionListener
  private readonly requests = new Map<number, { name: string; resolve: (reply: Reply) => void }>()
  private lastId = 0
  private lastReceivedAt = Date.now()
  private isClosed = false

  constructor(end: FrameSocket, listener: ConnectionListener) {
    this.socket = end
    this.listener = listener
    end.onMessage = (frame) => {
      // A browser answers pings by itself, and its page hears nothing of them.
      if (frame === 'ping') end.send('pong')
      if (typeof frame === 'string') return
      this.lastReceivedAt = Date.now()
      for (const value of decodeServerFrame(frame)) if (!this.isClosed) this.dispatchValue(value)
    }
    end.onClose = (code) => this.isClosed || listener.onEnd(code)
    this.watchSilence()
  }

  request(name: string, input: Payload): Promise<Reply> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.requests.set(id, { name, resolve })
      setTimeout(() => this.resolveRequest(id, 'none'), CONNECT_TIMEOUT_MS)
      this.socket.send(encode([Kind.request, id, name, input]))
    })
  }

  /** Lets go of it: what it still says is not heard, and what was asked has no reply. */
  close(): void {
    this.isClosed = true
    this.socket.close()
    for (const id of [...this.requests.keys()]) this.resolveRequest(id, 'none')
  }

  private dispatchValue(value: ServerValue): void {
    if (value[0] === Kind.answer) this.resolveRequest(value[1], { answer: value[2] })
    else if (value[0] === Kind.refusal) this.resolveRequest(value[1], { refusal: value[2] })
    else if (value[0] === Kind.event) this.listener.onEvent(value[1], value[2], value[3])
    else this.listener.onEphemeral(value[1], value[2])
  }

  private resolveRequest(id: number, reply: Reply): void {
    const asked = this.requests.get(id)
    this.requests.delete(id)
    if (asked && reply !== 'none' && 'answer' in reply) this.listener.onAnswer(asked.name, reply.answer)
    asked?.resolve(reply)
  }

  private watchSilence(): void {
    setTimeout(() => {
      if (this.isClosed) return
      if (Date.now() - this.lastReceivedAt > SILENCE_MS) this.listener.onEnd('silent')
      else this.watchSilence()
    }, SILENCE_MS / 2)
  }
}
