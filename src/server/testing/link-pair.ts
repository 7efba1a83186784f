import type { LinkSocket } from '../regions/link-line.ts'

/** One end of a socket that lies in memory, and what was done to it. */
export interface PairedSocket extends LinkSocket {
  /** The code that this end was closed with, by either; null while it is open. */
  closedWith: number | null
  held: boolean
  trusted: boolean
  /** Set by hand to stand for a network that takes nothing. */
  waitingBytes: number
  /** Every frame that this end sent, and was sent, as it left. */
  sent: Uint8Array[]
  /** Turns a frame that was sent into those that arrive: none, another, several. */
  tamper: (frame: Uint8Array) => Uint8Array[]
  /** From now on nothing comes through either way, and nobody is told. */
  cut(): void
}

interface End extends PairedSocket {
  bytes: ((frame: Uint8Array) => void) | null
  ended: ((code: number) => void) | null
  inbox: Uint8Array[]
}

/**
 * The two ends of a socket: `createHub(...).accept(far, address)` and `createDialler({ connect: () => near })` link over
 * it. What is sent arrives after `delayMs` by setTimeout, in order, so fake timers drive it.
 */
export function linkPair(delayMs = 0): [near: PairedSocket, far: PairedSocket] {
  const wire = { isCut: false, delayMs }
  const near: End = end(wire, () => far)
  const far: End = end(wire, () => near)
  return [near, far]
}

function end(wire: { isCut: boolean; delayMs: number }, other: () => End): End {
  const later = (what: () => void) => {
    setTimeout(() => {
      if (!wire.isCut) what()
    }, wire.delayMs)
  }
  const self: End = {
    closedWith: null,
    held: false,
    trusted: false,
    waitingBytes: 0,
    sent: [],
    inbox: [],
    bytes: null,
    ended: null,
    tamper: (frame) => [frame],
    send(frame) {
      if (self.closedWith !== null) return
      self.sent.push(frame.slice())
      for (const arriving of self.tamper(frame.slice())) later(() => arrive(other(), arriving))
    },
    close(code) {
      if (self.closedWith !== null) return
      self.closedWith = code
      later(() => hangUp(other(), code))
    },
    onFrame(listener) {
      self.bytes = listener
      setTimeout(() => flush(self))
    },
    onClose(listener) {
      self.ended = listener
    },
    bufferedBytes: () => self.waitingBytes,
    setPaused(held) {
      self.held = held
      if (!held) flush(self)
    },
    markAuthenticated() {
      self.trusted = true
    },
    cut() {
      wire.isCut = true
    },
  }
  return self
}

function arrive(end: End, frame: Uint8Array): void {
  end.inbox.push(frame)
  flush(end)
}

function flush(end: End): void {
  while (end.bytes && !end.held && end.closedWith === null) {
    const frame = end.inbox.shift()
    if (!frame) return
    end.bytes(frame)
  }
}

function hangUp(end: End, code: number): void {
  if (end.closedWith !== null) return
  end.closedWith = code
  end.ended?.(code)
}
