import { decodeServerFrame, encode, Kind, type Payload, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import type { FrameSocket } from './socket-adapters.ts'

/** A connection without data for this long is closed, as in the browser. */
const SILENCE_MS = 60_000

/** `none`: the connection ended first, or the request timed out. */
export type Reply = { answer: Payload } | { refusal: RefusalBody } | 'none'

export interface ConnectionListener {
  /** Called at once, before the next value of the same frame. */
  onAnswer(name: string, answer: Payload): void
  onEvent(seq: number, name: string, payload: Payload): void
  onEphemeral(name: string, payload: Payload): void
  /** The connection was closed, broke or timed out. The last call. */
  onEnd(code: number | 'silent'): void
}

/** A browser's end of one connection: matches replies to requests and detects silence. */
export class SimulatedConnection {
  private readonly socket: FrameSocket
  private readonly listener: ConnectionListener
  private readonly requests = new Map<number, { name: string; resolve: (reply: Reply) => void }>()
  private lastId = 0
  private lastReceivedAt = Date.now()
  private isClosed = false

  constructor(socket: FrameSocket, listener: ConnectionListener) {
    this.socket = socket
    this.listener = listener
    socket.onMessage = (frame) => {
      // A browser answers pings without its page.
      if (frame === 'ping') socket.send('pong')
      if (typeof frame === 'string') return
      this.lastReceivedAt = Date.now()
      for (const value of decodeServerFrame(frame)) if (!this.isClosed) this.dispatchValue(value)
    }
    socket.onClose = (code) => this.isClosed || listener.onEnd(code)
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

  /** Closes the connection: ignores further values and resolves pending requests with `none`. */
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
    const pending = this.requests.get(id)
    this.requests.delete(id)
    if (pending && reply !== 'none' && 'answer' in reply) this.listener.onAnswer(pending.name, reply.answer)
    pending?.resolve(reply)
  }

  private watchSilence(): void {
    setTimeout(() => {
      if (this.isClosed) return
      if (Date.now() - this.lastReceivedAt > SILENCE_MS) this.listener.onEnd('silent')
      else this.watchSilence()
    }, SILENCE_MS / 2)
  }
}
