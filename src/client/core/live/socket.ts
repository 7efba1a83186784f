import type { CommandAnswer, CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import { CloseCode, Kind, MAX_FRAME_BYTES, type Payload, type ServerValue } from '../../../shared/protocol/frame.ts'
import { Refusal, refuseLocally } from '../../../shared/protocol/refusals.ts'
import type { Result } from '../../../shared/protocol/result.ts'
import { CONNECT_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import type { Environment, SocketTransport } from '../platform/environment.ts'
import { batch } from '../signals/signal.ts'
import { decodeAll, encode } from './messagepack.ts'

export type Outcome<N extends CommandName> = Result<CommandAnswer<N>>

/** The server sends something at least every 50 s (docs/protocol.md, "Life of a connection", 5). */
const MAX_SILENCE_MS = 60_000
/** A request without a frame for this long is reported as unanswered. */
const UNANSWERED_NOTICE_MS = 1_500
/** A probed connection must receive a frame within this time. */
const PROBE_TIMEOUT_MS = 5_000
/** The code of a connection that ended without a close frame; WebSocket API, CloseEvent.code. */
const ABNORMAL_CLOSURE = 1006
/** The close code of a peer for a message over its limit (RFC 6455, section 7.4.1). */
const MESSAGE_TOO_BIG = 1009

interface SocketListener {
  onOpen(): void
  /** An event, in the order of the server; `seq` is null for an ephemeral one. */
  onEvent(seq: number | null, name: string, payload: Payload): void
  /** Whether a request waits for the server, which has sent nothing for too long. */
  onUnanswered(isUnanswered: boolean): void
  /** The connection has ended. Called once, as the last call. */
  onClose(code: number): void
}

/** One connection: frames, and requests with their answers. */
export class Socket {
  private readonly environment: Environment
  private readonly listener: SocketListener
  private readonly transport: SocketTransport
  private readonly pendingRequests = new Map<number, (outcome: Outcome<CommandName>) => void>()
  private lastRequestId = 0
  private lastReceivedAt: number
  /** The number of received frames. */
  private receivedFrames = 0
  private isClosed = false
  private isUnanswered = false
  /** What has arrived and is not processed yet, in the order of the server: values, and last the close code. */
  private readonly queue: (ServerValue | number)[] = []

  constructor(environment: Environment, listener: SocketListener) {
    this.environment = environment
    this.listener = listener
    this.lastReceivedAt = environment.now()
    this.transport = environment.openTransport({
      onOpen: () => this.isClosed || listener.onOpen(),
      onBytes: (bytes) => this.received(bytes),
      onClose: (code) => this.enqueue([code]),
    })
    this.watchSilence()
  }

  /** Sends a request. Resolves to the answer, the refusal, or why there is none. */
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
    if (this.isClosed) return Promise.resolve('disconnected')
    const id = ++this.lastRequestId
    const bytes = encode([Kind.request, id, name, input])
    if (bytes.length > MAX_FRAME_BYTES) return Promise.resolve(refuseLocally('TooLarge'))
    return new Promise((resolve) => {
      // The server answers an id with the answer of its command.
      this.pendingRequests.set(id, resolve as (outcome: Outcome<CommandName>) => void)
      const before = this.receivedFrames
      this.environment.setTimer(UNANSWERED_NOTICE_MS, () => {
        if (this.pendingRequests.has(id) && this.receivedFrames === before) this.setUnanswered(true)
      })
      this.environment.setTimer(CONNECT_TIMEOUT_MS, () => {
        if (!this.pendingRequests.has(id)) return
        // Without any frame since, the connection is dead, and the next one sends the request.
        if (this.receivedFrames === before) this.close()
        else this.resolveRequest(id, 'timedOut')
      })
      this.transport.send(bytes)
    })
  }

  /** Sends a signal, which has no answer. */
  sendSignal<N extends CommandName>(name: N, input: CommandInput<N>): void {
    if (!this.isClosed) this.transport.send(encode([Kind.signal, name, input]))
  }

  /** Closes a connection that has received nothing for too long: the machine slept, or the network was lost. */
  closeIfSilent(): void {
    if (this.environment.now() - this.lastReceivedAt > MAX_SILENCE_MS) this.close()
  }

  /** Probes the server, and closes the connection without a frame in time: the network may have changed. */
  probe(): void {
    const before = this.receivedFrames
    void this.request('userConnected', {}) // no effect, but an answer
    this.environment.setTimer(PROBE_TIMEOUT_MS, () => {
      if (!this.isClosed && this.receivedFrames === before) this.close()
    })
  }

  /** Closes the connection; the listener is called at once, without waiting for the network. */
  close(): void {
    this.transport.close()
    this.finish(ABNORMAL_CLOSURE)
  }

  private watchSilence(): void {
    this.environment.setTimer(MAX_SILENCE_MS / 2, () => {
      if (this.isClosed) return
      this.closeIfSilent()
      this.watchSilence()
    })
  }

  private received(bytes: Uint8Array): void {
    this.lastReceivedAt = this.environment.now()
    this.receivedFrames++
    this.setUnanswered(false)
    let values: ServerValue[]
    try {
      values = decodeAll(bytes) as ServerValue[] // of our own server
    } catch (error) {
      this.environment.reportError('a frame that cannot be read', error)
      this.close()
      return
    }
    this.enqueue(values)
  }

  private enqueue(received: readonly (ServerValue | number)[]): void {
    const isFirst = this.queue.length === 0
    this.queue.push(...received)
    if (isFirst) this.processQueue()
  }

  /**
   * Processes the queue up to the next answer, or all of it, with one redraw. What comes after an answer waits for a task
   * of its own: by then its caller has handled it, because the browser runs all promise callbacks between two tasks.
   */
  private processQueue(): void {
    const { queue } = this
    const received = queue.splice(0, queue.findIndex(isReply) + 1 || queue.length)
    if (queue.length > 0) this.environment.enqueueTask(() => this.processQueue())
    batch(() => {
      for (const value of received) {
        if (typeof value === 'number') this.finish(value)
        else if (!this.isClosed) this.processValue(value)
      }
    })
  }

  private processValue(value: ServerValue): void {
    const [kind] = value
    if (kind === Kind.answer)
      this.resolveRequest(value[1], value[2] as CommandAnswer<CommandName>) // the server's own types
    else if (kind === Kind.refusal) this.resolveRequest(value[1], new Refusal(value[2]))
    else if (kind === Kind.event) this.listener.onEvent(value[1], value[2], value[3])
    else if (kind === Kind.ephemeral) this.listener.onEvent(null, value[1], value[2])
  }

  private setUnanswered(isUnanswered: boolean): void {
    if (this.isUnanswered === isUnanswered) return
    this.isUnanswered = isUnanswered
    this.listener.onUnanswered(isUnanswered)
  }

  private resolveRequest(id: number, outcome: Outcome<CommandName>): void {
    const resolve = this.pendingRequests.get(id)
    this.pendingRequests.delete(id)
    resolve?.(outcome)
  }

  private finish(code: number): void {
    if (this.isClosed) return
    this.isClosed = true
    this.setUnanswered(false)
    // A request that was too large must not be retried (docs/protocol.md, "Close codes").
    const tooLarge = code === CloseCode.frameTooLarge || code === MESSAGE_TOO_BIG
    for (const id of [...this.pendingRequests.keys()])
      this.resolveRequest(id, tooLarge ? refuseLocally('TooLarge') : 'disconnected')
    this.listener.onClose(code)
  }
}

function isReply(received: ServerValue | number): boolean {
  return typeof received !== 'number' && (received[0] === Kind.answer || received[0] === Kind.refusal)
}
