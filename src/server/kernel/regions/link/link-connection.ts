import { encode } from '../../../../shared/protocol/frame.ts'
import { MAX_FRAME_BYTES, type MessageParser } from './link-messages.ts'

/**
 * The transport of a link: a WebSocket (link-socket.ts), or one end of a `createLinkSocketPair()` in memory. It has one
 * listener of each kind, the last that was set. Nothing is delivered before a listener is set, nor during the call that
 * sets it.
 */
export interface LinkSocket {
  send(frame: Uint8Array): void
  /** Closes both directions with a code of `LinkClose`. */
  close(code: number): void
  onFrame(listener: (frame: Uint8Array) => void): void
  /** The other end closed it, it broke, or it could not be opened. */
  onClose(listener: (code: number) => void): void
  /** Bytes that were sent and that the network has not taken yet. */
  bufferedBytes(): number
  /** Nothing is read while it is paused. */
  setPaused(isPaused: boolean): void
  /** The other end is authenticated: from now on it may send more than a handshake. */
  markAuthenticated(): void
}

/** Close codes of a link. Source: docs/link.md, "Connections that end". */
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

/** A link with more unsent bytes than this is closed. */
export const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
const TICK_MS = 1_000
/** A link that is silent for longer is closed. Counted in ticks, so that a process that was stopped counts none. */
const MAX_SILENT_TICKS = 4

export interface LinkHandlers<In> {
  parse: MessageParser<In>
  onMessage(message: In): void
  /** Once, whichever end closed it; nothing is delivered after it. */
  onEnd(code: number): void
  /** Once a second. */
  onTick?(): void
  /** Called with the size of each frame. Answers for how many milliseconds to pause reading. */
  pauseMsAfter?(bytes: number): number
}

/** An authenticated connection between two regions: one message a frame, until it ends. */
export class LinkConnection<In, Out extends object> {
  private readonly socket: LinkSocket
  private readonly handlers: LinkHandlers<In>
  private readonly tickTimer: NodeJS.Timeout
  private resumeTimer: NodeJS.Timeout | null = null
  private silentTicks = 0
  private isOpen = true

  constructor(socket: LinkSocket, handlers: LinkHandlers<In>) {
    this.socket = socket
    this.handlers = handlers
    this.tickTimer = setInterval(() => this.tick(), TICK_MS).unref()
    socket.onFrame((frame) => this.receive(frame))
    socket.onClose((code) => this.finish(code))
  }

  /** `tooLarge`: no frame can hold the message. `ended`: the link has ended, possibly because too many bytes wait. */
  send(message: Out): 'sent' | 'tooLarge' | 'ended' {
    if (!this.isOpen) return 'ended'
    const frame = encode(message)
    if (frame.length > MAX_FRAME_BYTES) return 'tooLarge'
    if (this.socket.bufferedBytes() + frame.length > MAX_BUFFERED_BYTES) {
      this.end(LinkClose.tooSlow)
      return 'ended'
    }
    this.socket.send(frame)
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
    const message = frame.length <= MAX_FRAME_BYTES ? this.handlers.parse(frame) : null
    if (message === null) {
      this.end(LinkClose.badFrame)
      return
    }
    this.pauseFor(this.handlers.pauseMsAfter?.(frame.length) ?? 0)
    if (message !== 'unknown') this.handlers.onMessage(message as In) // the rest of the union
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
    this.silentTicks = this.resumeTimer ? 0 : this.silentTicks + 1 // a paused link is silent by our own choice
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
