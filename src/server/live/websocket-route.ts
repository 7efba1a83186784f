import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AppContext } from '../app-context.ts'
import { attributableAddress } from '../http/client-address.ts'
import { requestOrigin } from '../http/request-origin.ts'
import type { Transport } from './connection.ts'
import type { ConnectionRegistry } from './connections.ts'

/** The socket's own limit: beyond it ws closes with 1009 before anything is kept. */
const MAX_PAYLOAD_BYTES = 128 * 1024
/** A browser cuts a frame into a few pieces at most; each piece and each packet costs far more than its bytes. */
const FRAGMENT_LIMITS = { maxFragments: 128, maxBufferedChunks: 4096 } // newer than ws's type declarations
/** How long a client has to answer a close before the socket is cut. */
const CLOSE_TIMEOUT_MS = 2_000
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const EMPTY_FRAME = new Uint8Array()

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Serves `GET /live`. The returned function attaches it to a server; upgrades of other paths go to `elsewhere`. Why ws is
 * used without an adapter: docs/decisions/0009-ws-itself.md.
 */
export function serveLive(
  world: AppContext,
  lines: ConnectionRegistry,
): (server: Server, elsewhere: UpgradeListener) => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    ...FRAGMENT_LIMITS,
  })
  return (server, elsewhere) => {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      if (request.url?.split('?')[0] !== '/live') elsewhere(request, socket, head)
      else if (requestOrigin(world.settings, request) === 'allowed') {
        sockets.handleUpgrade(request, socket, head, (ws) => {
          openConnection(lines, ws, socket, attributableAddress(world.settings, request))
        })
      } else {
        socket.once('finish', () => socket.destroy())
        socket.end(FORBIDDEN)
      }
    })
  }
}

function openConnection(lines: ConnectionRegistry, ws: WebSocket, socket: Duplex, address: string | null): void {
  const line = lines.openConnection(webSocketTransport(ws, socket), address)
  // A text message is no frame of the protocol, like an empty one.
  ws.on('message', (data: Buffer, isBinary) => line.onFrame(isBinary ? data : EMPTY_FRAME)) // a Buffer by ws's default
  ws.on('pong', line.onPong)
  ws.on('error', () => ws.terminate()) // its close event follows
  ws.on('close', line.onClose)
}

/** Frames are encoded once for all connections, so they are written to the socket past ws's own sender. */
function webSocketTransport(ws: WebSocket, socket: Duplex): Transport {
  return {
    send: (batch) => {
      if (ws.readyState === ws.OPEN) socket.write(batch.frame())
    },
    bufferedBytes: () => socket.writableLength,
    ping: () => ws.ping(),
    close: (code, reason) => {
      ws.close(code, reason)
      setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref()
    },
  }
}
