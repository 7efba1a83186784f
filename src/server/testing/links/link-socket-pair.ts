import type { LinkSocket } from '../../kernel/regions/link/link-connection.ts'

/** One end of a socket in memory, with a record of its use. */
export interface PairedSocket extends LinkSocket {
  /** The close code, from either end; null while this end is open. */
  closeCode: number | null
  isPaused: boolean
  isTrusted: boolean
  /** Set by the test to simulate a network that accepts no data, in bytes. */
  pendingBytes: number
  /** Copies of the frames that this end sent, before `tamper`. */
  sentFrames: Uint8Array[]
  /** Maps a sent frame to the frames that arrive: none, a changed one or several. */
  tamper: (frame: Uint8Array) => Uint8Array[]
  /** Stops delivery in both directions without a close. */
  cut(): void
}

interface SocketEnd extends PairedSocket {
  frameListener: ((frame: Uint8Array) => void) | null
  closeListener: ((code: number) => void) | null
  inbox: Uint8Array[]
}

/**
 * The two ends of a socket: `near` for a LinkClient's `openSocket`, `far` for a LinkServer's `accept`. Frames arrive in
 * order after `delayMs`, by setTimeout, so that fake timers drive them.
 */
export function createLinkSocketPair(delayMs = 0): [near: PairedSocket, far: PairedSocket] {
  const wire = { isCut: false, delayMs }
  const near: SocketEnd = createSocketEnd(wire, () => far)
  const far: SocketEnd = createSocketEnd(wire, () => near)
  return [near, far]
}

function createSocketEnd(wire: { isCut: boolean; delayMs: number }, other: () => SocketEnd): SocketEnd {
  const deliverLater = (deliver: () => void) => {
    setTimeout(() => {
      if (!wire.isCut) deliver()
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
      for (const arriving of self.tamper(frame.slice())) deliverLater(() => deliverFrame(other(), arriving))
    },
    close(code) {
      if (self.closeCode !== null) return
      self.closeCode = code
      deliverLater(() => deliverClose(other(), code))
    },
    onFrame(listener) {
      self.frameListener = listener
      setTimeout(() => flush(self))
    },
    onClose(listener) {
      self.closeListener = listener
    },
    bufferedBytes: () => self.pendingBytes,
    setPaused(isPaused) {
      self.isPaused = isPaused
      if (!isPaused) flush(self)
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
