import type { Transport } from '../../kernel/live/connection.ts'
import { receiveFrame } from '../../kernel/live/dispatch.ts'
import type { LinkSocket } from '../../kernel/regions/link/link-connection.ts'
import type { Region } from '../../region.ts'
import type { SocketEnd } from './simulated-network.ts'

/** A value on a simulated connection: a frame, or a WebSocket's own message. `connect` comes first. */
export type SimulatedFrame = Uint8Array | 'connect' | 'ping' | 'pong'
export type FrameSocket = SocketEnd<SimulatedFrame, SimulatedFrame>

/** Maximum wait for the other end's close before the connection counts as closed. */
const CLOSE_TIMEOUT_MS = 2_000

/** Calls `accept` when the other end connects. */
export function onConnectionRequest(end: FrameSocket, accept: () => void): void {
  end.onMessage = (frame) => {
    if (frame === 'connect') accept()
  }
}

/** Adapts an end of a connection to the link's socket. */
export function toLinkSocket(end: FrameSocket): LinkSocket {
  const inbox: Uint8Array[] = []
  let frameListener: ((frame: Uint8Array) => void) | null = null
  let isPaused = false
  let closeListener: (code: number) => void = () => {}
  const flush = () => {
    while (frameListener && !isPaused && end.isOpen) {
      const frame = inbox.shift()
      if (!frame) return
      frameListener(frame)
    }
  }
  end.onMessage = (frame) => {
    if (typeof frame === 'string') return
    inbox.push(frame)
    flush()
  }
  end.onClose = (code) => closeListener(code)
  return {
    send: (frame) => end.send(frame.slice()),
    close: (code) => end.close(code),
    onFrame(listener) {
      frameListener = listener
      setImmediate(flush)
    },
    onClose(listener) {
      closeListener = listener
    },
    bufferedBytes: () => 0,
    setPaused(paused) {
      isPaused = paused
      flush()
    },
    markAuthenticated: () => {},
  }
}

/** Opens a browser's connection in a region. */
export function acceptClient({ appContext, connections }: Region, end: FrameSocket): void {
  const onClosed = () => {
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
      setTimeout(onClosed, CLOSE_TIMEOUT_MS)
    },
  }
  let isClosed = false
  const connection = connections.openConnection(transport)
  end.onMessage = (frame) => {
    if (frame === 'pong') connection.pong()
    else if (typeof frame !== 'string') receiveFrame(appContext, connection, frame)
  }
  end.onClose = onClosed
}
