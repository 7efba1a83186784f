import { encode } from '../../shared/protocol/frame.ts'
import { MAX_FRAME_BYTES, type Read } from './link-messages.ts'
import { SEAL_BYTES, type Seal } from './seal.ts'

/**
 * What carries the frames of a link: a WebSocket (link-socket.ts), or a pair in memory (testing/link-pair.ts).
 * Of each listener the last one set hears. Nothing is delivered before it is set, nor within the call that sets it.
 */
export interface LinkSocket {
  send(frame: Uint8Array): void
  /** Ends it both ways; codes are of `LinkClose`. The other end hears of it if it can. */
  close(code: number): void
  onBytes(listener: (frame: Uint8Array) => void): void
  /** It ended: the other end closed it, it broke, or it never came about. */
  onClose(listener: (code: number) => void): void
  /** Bytes that were sent and not yet taken by the network. */
  waiting(): number
  /** While held nothing more is read from it. */
  hold(held: boolean): void
  /** The other end has proven itself: from now on it may send more than a handshake. */
  trust(): void
}

/** Why an end ended a line. Source: docs/link.md, "Close codes". */
export const LinkClose = {
  done: 1000,
  badFrame: 4400,
  notProven: 4401,
  silent: 4408,
  replaced: 4409,
  tooSlow: 4429,
  notPrimary: 4503,
  itself: 4508,
} as const

/** What a peer may have waiting before it counts as lost, in bytes. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024
const TICK_MS = 1_000
/** A line that was silent for longer is given up. In ticks, since a process that stood still has not missed any. */
const SILENT_TICKS = 4

export interface LineEars<In> {
  read: Read<In>
  message(message: In): void
  /** Once, whoever ended it; after it nothing more is heard. */
  ended(code: number): void
  /** Each second. */
  tick?(): void
  /** Told of each frame's bytes: how many milliseconds to read nothing after it. */
  allowance?(bytes: number): number
}

/** One line between two regions that have proven themselves: sealed frames, a message each, until it ends. */
export class LinkLine<In, Out extends object> {
  private readonly socket: LinkSocket
  private readonly seals: { in: Seal; out: Seal }
  private readonly ears: LineEars<In>
  private readonly ticking: NodeJS.Timeout
  private release: NodeJS.Timeout | null = null
  private silentTicks = 0
  private live = true

  constructor(socket: LinkSocket, seals: { in: Seal; out: Seal }, ears: LineEars<In>) {
    this.socket = socket
    this.seals = seals
    this.ears = ears
    this.ticking = setInterval(() => this.tick(), TICK_MS).unref()
    socket.onBytes((frame) => this.receive(frame))
    socket.onClose((code) => this.over(code))
  }

  /** `tooLarge` says that a frame cannot hold it, and `ended` that the line has ended, which it does when too much waits. */
  send(message: Out): 'sent' | 'tooLarge' | 'ended' {
    if (!this.live) return 'ended'
    const payload = encode(message)
    if (payload.length + SEAL_BYTES > MAX_FRAME_BYTES) return 'tooLarge'
    if (this.socket.waiting() + payload.length > MAX_WAITING_BYTES) {
      this.end(LinkClose.tooSlow)
      return 'ended'
    }
    this.socket.send(this.seals.out.seal(payload))
    return 'sent'
  }

  waiting(): number {
    return this.socket.waiting()
  }

  end(code: number): void {
    if (!this.live) return
    this.over(code, () => this.socket.close(code))
  }

  private receive(frame: Uint8Array): void {
    if (!this.live) return
    this.silentTicks = 0
    const payload = frame.length <= MAX_FRAME_BYTES ? this.seals.in.open(frame) : null
    const message = payload && this.ears.read(payload)
    if (message === null) {
      this.end(LinkClose.badFrame)
      return
    }
    this.holdFor(this.ears.allowance?.(frame.length) ?? 0)
    if (message !== 'unknown') this.ears.message(message as In) // of the union this is what is left
  }

  private holdFor(ms: number): void {
    if (ms <= 0 || this.release) return
    this.socket.hold(true)
    this.release = setTimeout(() => {
      this.release = null
      this.socket.hold(false)
    }, ms).unref()
  }

  private tick(): void {
    this.silentTicks = this.release ? 0 : this.silentTicks + 1 // while held, it is we who do not listen
    if (this.silentTicks > SILENT_TICKS) this.end(LinkClose.silent)
    else this.ears.tick?.()
  }

  private over(code: number, close?: () => void): void {
    if (!this.live) return
    this.live = false
    clearInterval(this.ticking)
    if (this.release) clearTimeout(this.release)
    close?.()
    this.ears.ended(code)
  }
}
