import type { LinkSocket } from '../../regions/link/link-connection.ts'

/** One end of a socket that lies in memory, and what was done to it. */
export interface PairedSocket extends LinkSocket {
  /** The code that this end was closed with, by either; null while it is open. */
  closeCode: number | null
  isPaused: boolean
  isTrusted: boolean
  /** Set by hand to stand for a network that takes nothing. */
  pendingBytes: number
  /** Every frame that this end sent, and was sent, as it left. */
  sentFrames: Uint8Array[]
  /** Turns a frame that was sent into those that arrive: none, another, several. */
  tamper: (frame: Uint8Array) => Uint8Array[]
  /** From now on nothing comes through either way, and nobody is told. */
  cut(): void
}

interface SocketEnd extends PairedSocket {
  frameListener: ((frame: Uint8Array) => void) | null
  closeListener: ((code: number) => void) | null
  inbox: Uint8Array[]
}

/**
 * The two ends of a socket: `createHub(...).accept(far, address)` and `createDialler({ connect: () => near })` link over
 * it. What is sent arrives after `delayMs` by setTimeout, in order, so fake timers drive it.
 */
export function createLinkSocketPair(delayMs = 0): [near: PairedSocket, far: PairedSocket] {
  const wire = { isCut: false, delayMs }
  const near: SocketEnd = createSocketEnd(wire, () => far)
  const far: SocketEnd = createSocketEnd(wire, () => near)
  return [near, far]
}

function createSocketEnd(wire: { isCut: boolean; delayMs: number }, other: () => SocketEnd): SocketEnd {
  const later = (what: () => void) => {
    setTimeout(() => {
      if (!wire.isCut) what()
    }, wire.delayMs)
  }
  const self: SocketEnd = {
    closeCode: null,
    isPaused: false,
    isTrusted: false,
    pendingBytes: 0,
    sentFrames: [],
    inbox: [],
    frameListener: null,
    closeListener: null,
    tamper: (frame) => [frame],
    send(frame) {
      if (self.closeCode !== null) return
      self.sentFrames.push(frame.slice())
      for (const arriving of self.tamper(frame.slice())) later(() => deliverFrame(other(), arriving))
    },
    close(code) {
      if (self.closeCode !== null) return
      self.closeCode = code
      later(() => deliverClose(other(), code))
    },
    onFrame(listener) {
      self.frameListener = listener
      setTimeout(() => flush(self))
    },
    onClose(listener) {
      self.closeListener = listener
    },
    bufferedBytes: () => self.pendingBytes,
    setPaused(held) {
      self.isPaused = held
      if (!held) flush(self)
    },
    markAuthenticated() {
      self.isTrusted = true
    },
    cut() {
      wire.isCut = true
    },
  }
  return self
}

function deliverFrame(end: SocketEnd, frame: Uint8Array): void {
  end.inbox.push(frame)
  flush(end)
}

function flush(end: SocketEnd): void {
  while (end.frameListener && !end.isPaused && end.closeCode === null) {
    const frame = end.inbox.shift()
    if (!frame) return
    end.frameListener(frame)
  }
}

function deliverClose(end: SocketEnd, code: number): void {
  if (end.closeCode !== null) return
  end.closeCode = code
  end.closeListener?.(code)
}
