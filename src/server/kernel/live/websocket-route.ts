import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AppContext } from '../app-context.ts'
import { browserCookie } from '../http/browser-cookie.ts'
import { attributableAddress } from '../http/client-address.ts'
import { requestOrigin } from '../http/request-origin.ts'
import type { Transport } from './connection.ts'
import type { ConnectionRegistry } from './connections.ts'
import { receiveFrame } from './dispatch.ts'
import { limitReceiving } from './receive-limit.ts'

/** Limit of ws itself: beyond it ws closes with 1009 and buffers nothing. */
const MAX_PAYLOAD_BYTES = 128 * 1024
/** Browsers send few fragments per frame; each fragment costs far more memory than its bytes. */
const FRAGMENT_LIMITS = { maxFragments: 128, maxBufferedChunks: 4096 } // newer than ws's type declarations
/** Time for the close handshake before the socket is terminated. */
const CLOSE_TIMEOUT_MS = 2_000
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const EMPTY_FRAME = new Uint8Array()

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Serves `GET /live`. The returned function attaches it to a server and passes upgrades of other paths to `fallback`.
 * docs/decisions/0009-ws-without-adapter.md says why ws is used without an adapter.
 */
export function serveLive(
  appContext: AppContext,
  connections: ConnectionRegistry,
): (server: Server, fallback: UpgradeListener) => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    ...FRAGMENT_LIMITS,
  })
  // Named functions below create the listeners of a socket: one created here would keep `request` until it closes.
  return (server, fallback) => {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      destroyOnError(socket)
      if (request.url?.split('?')[0] !== '/live') fallback(request, socket, head)
      else if (requestOrigin(appContext.config, request) === 'allowed') {
        const origin = { address: attributableAddress(appContext.config, request), cookie: browserCookie(request) }
        sockets.handleUpgrade(request, socket, head, (ws) => openSocket(appContext, connections, ws, socket, origin))
      } else refuseUpgrade(socket)
    })
  }
}

function destroyOnError(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
}

function refuseUpgrade(socket: Duplex): void {
  socket.once('finish', () => socket.destroy())
  socket.end(FORBIDDEN)
}

function openSocket(
  appContext: AppContext,
  connections: ConnectionRegistry,
  ws: WebSocket,
  socket: Duplex,
  { address, cookie }: { address: string | null; cookie: string | null },
): void {
  const connection = connections.openConnection(createTransport(ws, socket), address)
  connection.browserCookie = cookie
  limitReceiving(appContext, connection, ws, socket)
  // A text message is an invalid frame, as an empty one is. A binary one is a Buffer by ws's default.
  ws.on('message', (data: Buffer, isBinary) => {
    receiveFrame(appContext, connection, isBinary ? data : EMPTY_FRAME)
  })
  ws.on('pong', () => connection.pong())
  ws.on('error', () => ws.terminate()) // its close event follows
  ws.on('close', () => connections.removeConnection(connection))
}

/** Frames are built once for all connections, so they are written to the socket directly and not by ws's sender. */
function createTransport(ws: WebSocket, socket: Duplex): Transport {
  return {
    send: (chain) => {
      if (ws.readyState === ws.OPEN) socket.write(chain.frame())
    },
    bufferedBytes: () => socket.writableLength,
    ping: () => ws.ping(),
    close: (code, reason) => {
      ws.close(code, reason)
      setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref()
    },
  }
}
