import type { Transport } from '../../live/connection.ts'
import { receiveFrame } from '../../live/dispatch.ts'
import type { Region } from '../../region.ts'
import type { LinkSocket } from '../../regions/link/link-connection.ts'
import type { SocketEnd } from './simulated-network.ts'

/** What travels on a line: frames, and what WebSockets say among themselves. `connect` is the first thing on every line. */
export type SimulatedFrame = Uint8Array | 'connect' | 'ping' | 'pong'
export type FrameSocket = SocketEnd<SimulatedFrame, SimulatedFrame>

/** How long the other end has to answer a close before the line is cut. */
const CLOSE_TIMEOUT_MS = 2_000

/** Calls `answer` once somebody knocks at this end. */
export function onConnectionRequest(end: FrameSocket, answer: () => void): void {
  end.onMessage = (frame) => {
    if (frame === 'connect') answer()
  }
}

/** An end of a line as the link wants it. */
export function toLinkSocket(end: FrameSocket): LinkSocket {
  const inbox: Uint8Array[] = []
  let hears: ((frame: Uint8Array) => void) | null = null
  let isHeld = false
  let ended: (code: number) => void = () => {}
  const flush = () => {
    while (hears && !isHeld && end.isOpen) {
      const frame = inbox.shift()
      if (!frame) return
      hears(frame)
    }
  }
  end.onMessage = (frame) => {
    if (typeof frame === 'string') return
    inbox.push(frame)
    flush()
  }
  end.onClose = (code) => ended(code)
  return {
    send: (frame) => end.send(frame.slice()),
    close: (code) => end.close(code),
    onFrame(listener) {
      hears = listener
      setImmediate(flush)
    },
    onClose(listener) {
      ended = listener
    },
    bufferedBytes: () => 0,
    setPaused(held) {
      isHeld = held
      flush()
    },
    markAuthenticated: () => {},
  }
}

/** Opens a browser's connection in a region. */
export function acceptClient({ appContext, connections }: Region, end: FrameSocket): void {
  const closed = () => {
    if (isClosed) return
    isClosed = true
    connections.removeConnection(connection)
  }
  const transport: Transport = {
    send: (batch) => end.send(batch.payload().slice()),
    bufferedBytes: () => 0,
    ping: () => end.send('ping'),
    close: (code, reason) => {
      end.close(code, reason)
      setTimeout(closed, CLOSE_TIMEOUT_MS)
    },
  }
  let isClosed = false
  const connection = connections.openConnection(transport)
  end.onMessage = (frame) => {
    if (frame === 'pong') connection.pong()
    else if (typeof frame !== 'string') receiveFrame(appContext, connection, frame)
  }
  end.onClose = closed
}
