import { encode } from '../../../shared/protocol/frame.ts'
import { type FrameMac, MAC_BYTES } from './frame-mac.ts'
import { MAX_FRAME_BYTES, type MessageParser } from './link-messages.ts'

/**
 * What carries the frames of a link: a WebSocket (link-socket.ts), or a pair in memory (testing/link-pair.ts).
 * Of each listener the last one set hears. Nothing is delivered before it is set, nor within the call that sets it.
 */
export interface LinkSocket {
  send(frame: Uint8Array): void
  /** Ends it both ways; codes are of `LinkClose`. The other end hears of it if it can. */
  close(code: number): void
  onFrame(listener: (frame: Uint8Array) => void): void
  /** It ended: the other end closed it, it broke, or it never came about. */
  onClose(listener: (code: number) => void): void
  /** Bytes that were sent and not yet taken by the network. */
  bufferedBytes(): number
  /** While held nothing more is read from it. */
  setPaused(held: boolean): void
  /** The other end has proven itself: from now on it may send more than a handshake. */
  markAuthenticated(): void
}

/** Why an end ended a line. Source: docs/link.md, "Close codes". */
export const LinkClose = {
  normal: 1000,
  badFrame: 4400,
  authenticationFailed: 4401,
  timedOut: 4408,
  replaced: 4409,
  tooSlow: 4429,
  notPrimary: 4503,
  connectedToSelf: 4508,
} as const

/** What a peer may have waiting before it counts as lost, in bytes. */
export const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
const TICK_MS = 1_000
/** A line that was silent for longer is given up. In ticks, since a process that stood still has not missed any. */
const MAX_SILENT_TICKS = 4

export interface LinkHandlers<In> {
  parse: MessageParser<In>
  onMessage(message: In): void
  /** Once, whoever ended it; after it nothing more is heard. */
  onEnd(code: number): void
  /** Each second. */
  onTick?(): void
  /** Told of each frame's bytes: how many milliseconds to read nothing after it. */
  pauseMsAfter?(bytes: number): number
}

/** One line between two regions that have proven themselves: sealed frames, a message each, until it ends. */
export class LinkConnection<In, Out extends object> {
  private readonly socket: LinkSocket
  private readonly macs: { in: FrameMac; out: FrameMac }
  private readonly handlers: LinkHandlers<In>
  private readonly tickTimer: NodeJS.Timeout
  private resumeTimer: NodeJS.Timeout | null = null
  private silentTicks = 0
  private isOpen = true

  constructor(socket: LinkSocket, seals: { in: FrameMac; out: FrameMac }, ears: LinkHandlers<In>) {
    this.socket = socket
    this.macs = seals
    this.handlers = ears
    this.tickTimer = setInterval(() => this.tick(), TICK_MS).unref()
    socket.onFrame((frame) => this.receive(frame))
    socket.onClose((code) => this.finish(code))
  }

  /** `tooLarge` says that a frame cannot hold it, and `ended` that the line has ended, which it does when too much waits. */
  send(message: Out): 'sent' | 'tooLarge' | 'ended' {
    if (!this.isOpen) return 'ended'
    const payload = encode(message)
    if (payload.length + MAC_BYTES > MAX_FRAME_BYTES) return 'tooLarge'
    if (this.socket.bufferedBytes() + payload.length > MAX_BUFFERED_BYTES) {
      this.end(LinkClose.tooSlow)
      return 'ended'
    }
    this.socket.send(this.macs.out.sign(payload))
    return 'sent'
  }

  bufferedBytes(): number {
    return this.socket.bufferedBytes()
  }

  end(code: number): void {
    if (!this.isOpen) return
    this.finish(code, () => this.socket.close(code))
  }

  private receive(frame: Uint8Array): void {
    if (!this.isOpen) return
    this.silentTicks = 0
    const payload = frame.length <= MAX_FRAME_BYTES ? this.macs.in.verify(frame) : null
    const message = payload && this.handlers.parse(payload)
    if (message === null) {
      this.end(LinkClose.badFrame)
      return
    }
    this.pauseFor(this.handlers.pauseMsAfter?.(frame.length) ?? 0)
    if (message !== 'unknown') this.handlers.onMessage(message as In) // of the union this is what is left
  }

  private pauseFor(ms: number): void {
    if (ms <= 0 || this.resumeTimer) return
    this.socket.setPaused(true)
    this.resumeTimer = setTimeout(() => {
      this.resumeTimer = null
      this.socket.setPaused(false)
    }, ms).unref()
  }

  private tick(): void {
    this.silentTicks = this.resumeTimer ? 0 : this.silentTicks + 1 // while held, it is we who do not listen
    if (this.silentTicks > MAX_SILENT_TICKS) this.end(LinkClose.timedOut)
    else this.handlers.onTick?.()
  }

  private finish(code: number, close?: () => void): void {
    if (!this.isOpen) return
    this.isOpen = false
    clearInterval(this.tickTimer)
    if (this.resumeTimer) clearTimeout(this.resumeTimer)
    close?.()
    this.handlers.onEnd(code)
  }
}
