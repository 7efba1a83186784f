import type { CommandAnswer, CommandInput, CommandName } from '../../shared/protocol/catalogue.ts'
import { CloseCode, Kind, MAX_FRAME_BYTES, type Payload, type ServerValue } from '../../shared/protocol/frame.ts'
import { Refusal, refuseLocally } from '../../shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../shared/text/limits.ts'
import { batch } from '../signal.ts'
import type { Environment, Wire } from './environment.ts'
import { decodeAll, encode } from './messagepack.ts'

/** No answer came: the line was `lost` with the request on it, or it was too `late` on a line that is there. */
export type NoAnswer = 'lost' | 'late'
export type Outcome<N extends CommandName> = CommandAnswer<N> | Refusal | NoAnswer

/** The server sends something at least every 50 s (docs/protocol.md, "Life of a connection", 5). */
const SILENCE_MS = 60_000
/** A line that is asked whether it still lives has this long to say anything. */
const PROBE_MS = 5_000
/** What a browser says of a line that ended without a word; WebSocket API, CloseEvent.code. */
const LINE_LOST = 1006
/** The peer's own limit on a message (RFC 6455, section 7.4.1). */
const MESSAGE_TOO_BIG = 1009
/** Through so many promises an answer may pass on its way to what is done with it; the longest way is half of that. */
const PROMISES = 8

export interface SocketListener {
  opened(): void
  /** An event, in the order of the server; `seq` is null for one that is not kept. */
  event(seq: number | null, name: string, payload: Payload): void
  /** The line has ended. Told once, last. */
  closed(code: number): void
}

/** One connection: frames, and requests with the answers that belong to them. */
export class Socket {
  private readonly environment: Environment
  private readonly listener: SocketListener
  private readonly wire: Wire
  private readonly waiting = new Map<number, (outcome: Outcome<CommandName>) => void>()
  private lastId = 0
  private heardAt: number
  /** How many frames were heard. */
  private heard = 0
  private closed = false
  /** What came and is not taken yet. */
  private readonly untaken: ServerValue[] = []

  constructor(environment: Environment, listener: SocketListener) {
    this.environment = environment
    this.listener = listener
    this.heardAt = environment.now()
    this.wire = environment.openWire({
      opened: () => this.closed || listener.opened(),
      received: (bytes) => this.received(bytes),
      closed: (code) => this.end(code),
    })
    this.watch()
  }

  /** Sends a request. It settles once, with the answer, the refusal, or why there is none. */
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
    if (this.closed) return Promise.resolve('lost')
    const id = ++this.lastId
    const bytes = encode([Kind.request, id, name, input])
    if (bytes.length > MAX_FRAME_BYTES) return Promise.resolve(refuseLocally('TooLarge'))
    return new Promise((resolve) => {
      // The server answers an id with the answer of its command.
      this.waiting.set(id, resolve as (outcome: Outcome<CommandName>) => void)
      const before = this.heard
      this.environment.after(CONNECT_TIMEOUT_MS, () => {
        if (!this.waiting.has(id)) return
        // Where nothing else came either, the line is gone, and the next one takes the request.
        if (this.heard === before) this.close()
        else this.settle(id, 'late')
      })
      this.wire.send(bytes)
    })
  }

  /** Sends a signal, which has no answer. */
  tell<N extends CommandName>(name: N, input: CommandInput<N>): void {
    if (!this.closed) this.wire.send(encode([Kind.signal, name, input]))
  }

  /** Ends a line on which nothing was heard for too long, though nobody closed it: it slept through, or was cut. */
  check(): void {
    if (this.environment.now() - this.heardAt > SILENCE_MS) this.close()
  }

  /** Asks whether the other end is still there, and ends the line when nothing comes: another network may be under it. */
  probe(): void {
    const before = this.heard
    void this.request('userConnected', {}) // it does nothing, and is answered
    this.environment.after(PROBE_MS, () => {
      if (!this.closed && this.heard === before) this.close()
    })
  }

  /** Ends the line from this side; the listener hears of it at once, whatever the network does. */
  close(): void {
    this.wire.close()
    this.end(LINE_LOST)
  }

  private watch(): void {
    this.environment.after(SILENCE_MS / 2, () => {
      if (this.closed) return
      this.check()
      this.watch()
    })
  }

  private received(bytes: Uint8Array): void {
    this.heardAt = this.environment.now()
    this.heard++
    let values: ServerValue[]
    try {
      values = decodeAll(bytes) as ServerValue[] // of our own server
    } catch (error) {
      this.environment.report('a frame that cannot be read', error)
      this.close()
      return
    }
    const isFirst = this.untaken.length === 0
    this.untaken.push(...values)
    if (isFirst) this.takeNext()
  }

  /**
   * Takes what has come up to the next answer, or all of it: one redraw, however much the server gathered in a frame.
   * What follows an answer is taken when whoever asked has it; no other frame comes in between, because the browser has
   * done with all promises before.
   */
  private takeNext(): void {
    const { untaken } = this
    const end = untaken.findIndex(([kind]) => kind === Kind.answer || kind === Kind.refusal) + 1 || untaken.length
    const values = untaken.splice(0, end)
    if (untaken.length > 0) void handedOver().then(() => this.takeNext())
    batch(() => {
      for (const value of values) if (!this.closed) this.take(value)
    })
  }

  private take(value: ServerValue): void {
    const [kind] = value
    if (kind === Kind.answer)
      this.settle(value[1], value[2] as CommandAnswer<CommandName>) // the server's own types
    else if (kind === Kind.refusal) this.settle(value[1], new Refusal(value[2]))
    else if (kind === Kind.event) this.listener.event(value[1], value[2], value[3])
    else if (kind === Kind.ephemeral) this.listener.event(null, value[1], value[2])
  }

  private settle(id: number, outcome: Outcome<CommandName>): void {
    const resolve = this.waiting.get(id)
    this.waiting.delete(id)
    resolve?.(outcome)
  }

  private end(code: number): void {
    if (this.closed) return
    this.closed = true
    // What was too large is not to be sent again (docs/protocol.md, "Close codes").
    const tooLarge = code === CloseCode.frameTooLarge || code === MESSAGE_TOO_BIG
    for (const id of [...this.waiting.keys()]) this.settle(id, tooLarge ? refuseLocally('TooLarge') : 'lost')
    this.listener.closed(code)
  }
}

/** Resolves when an answer that is given now has reached those who asked. */
async function handedOver(): Promise<void> {
  for (let n = 0; n < PROMISES; n++) await null
}
