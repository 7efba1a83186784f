import type { CommandAnswer, CommandInput, CommandName } from '../../shared/protocol/catalogue.ts'
import { CloseCode, Kind, MAX_FRAME_BYTES, type Payload, type ServerValue } from '../../shared/protocol/frame.ts'
import { Refusal, refuseLocally } from '../../shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import { batch } from '../signal.ts'
import type { Environment, SocketTransport } from './environment.ts'
import { decodeAll, encode } from './messagepack.ts'

/** No answer came: the line was `disconnected` with the request on it, or it was too `timedOut` on a line that is there. */
export type NoAnswer = 'disconnected' | 'timedOut'
export type Outcome<N extends CommandName> = CommandAnswer<N> | Refusal | NoAnswer

/** The server sends something at least every 50 s (docs/protocol.md, "Life of a connection", 5). */
const MAX_SILENCE_MS = 60_000
/** A line that is asked whether it still lives has this long to say anything. */
const PROBE_TIMEOUT_MS = 5_000
/** What a browser says of a line that ended without a word; WebSocket API, CloseEvent.code. */
const ABNORMAL_CLOSURE = 1006
/** The peer's own limit on a message (RFC 6455, section 7.4.1). */
const MESSAGE_TOO_BIG = 1009
/** Through so many promises an answer may pass on its way to what is done with it; the longest way is half of that. */
const MAX_PROMISE_HOPS = 8

export interface SocketListener {
  onOpen(): void
  /** An event, in the order of the server; `seq` is null for one that is not kept. */
  onEvent(seq: number | null, name: string, payload: Payload): void
  /** The line has ended. Told once, last. */
  onClose(code: number): void
}

/** One connection: frames, and requests with the answers that belong to them. */
export class Socket {
  private readonly environment: Environment
  private readonly listener: SocketListener
  private readonly transport: SocketTransport
  private readonly pendingRequests = new Map<number, (outcome: Outcome<CommandName>) => void>()
  private lastRequestId = 0
  private lastReceivedAt: number
  /** How many frames were heard. */
  private receivedFrames = 0
  private isClosed = false
  /** What came and is not taken yet. */
  private readonly unprocessed: ServerValue[] = []

  constructor(environment: Environment, listener: SocketListener) {
    this.environment = environment
    this.listener = listener
    this.lastReceivedAt = environment.now()
    this.transport = environment.openTransport({
      onOpen: () => this.isClosed || listener.onOpen(),
      onBytes: (bytes) => this.received(bytes),
      onClose: (code) => this.finish(code),
    })
    this.watchSilence()
  }

  /** Sends a request. It settles once, with the answer, the refusal, or why there is none. */
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
    if (this.isClosed) return Promise.resolve('disconnected')
    const id = ++this.lastRequestId
    const bytes = encode([Kind.request, id, name, input])
    if (bytes.length > MAX_FRAME_BYTES) return Promise.resolve(refuseLocally('TooLarge'))
    return new Promise((resolve) => {
      // The server answers an id with the answer of its command.
      this.pendingRequests.set(id, resolve as (outcome: Outcome<CommandName>) => void)
      const before = this.receivedFrames
      this.environment.setTimer(CONNECT_TIMEOUT_MS, () => {
        if (!this.pendingRequests.has(id)) return
        // Where nothing else came either, the line is gone, and the next one takes the request.
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

  /** Ends a line on which nothing was heard for too long, though nobody closed it: it slept through, or was cut. */
  closeIfSilent(): void {
    if (this.environment.now() - this.lastReceivedAt > MAX_SILENCE_MS) this.close()
  }

  /** Asks whether the other end is still there, and ends the line when nothing comes: another network may be under it. */
  probe(): void {
    const before = this.receivedFrames
    void this.request('userConnected', {}) // it does nothing, and is answered
    this.environment.setTimer(PROBE_TIMEOUT_MS, () => {
      if (!this.isClosed && this.receivedFrames === before) this.close()
    })
  }

  /** Ends the line from this side; the listener hears of it at once, whatever the network does. */
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
    let values: ServerValue[]
    try {
      values = decodeAll(bytes) as ServerValue[] // of our own server
    } catch (error) {
      this.environment.reportError('a frame that cannot be read', error)
      this.close()
      return
    }
    const isFirst = this.unprocessed.length === 0
    this.unprocessed.push(...values)
    if (isFirst) this.processNext()
  }

  /**
   * Takes what has come up to the next answer, or all of it: one redraw, however much the server gathered in a frame.
   * What follows an answer is taken when whoever asked has it; no other frame comes in between, because the browser has
   * done with all promises before.
   */
  private processNext(): void {
    const { unprocessed } = this
    const end =
      unprocessed.findIndex(([kind]) => kind === Kind.answer || kind === Kind.refusal) + 1 || unprocessed.length
    const values = unprocessed.splice(0, end)
    if (unprocessed.length > 0) void afterPromiseHops().then(() => this.processNext())
    batch(() => {
      for (const value of values) if (!this.isClosed) this.processValue(value)
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

  private resolveRequest(id: number, outcome: Outcome<CommandName>): void {
    const resolve = this.pendingRequests.get(id)
    this.pendingRequests.delete(id)
    resolve?.(outcome)
  }

  private finish(code: number): void {
    if (this.isClosed) return
    this.isClosed = true
    // What was too large is not to be sent again (docs/protocol.md, "Close codes").
    const tooLarge = code === CloseCode.frameTooLarge || code === MESSAGE_TOO_BIG
    for (const id of [...this.pendingRequests.keys()])
      this.resolveRequest(id, tooLarge ? refuseLocally('TooLarge') : 'disconnected')
    this.listener.onClose(code)
  }
}

/** Resolves when an answer that is given now has reached those who asked. */
async function afterPromiseHops(): Promise<void> {
  for (let n = 0; n < MAX_PROMISE_HOPS; n++) await null
}
