import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ownAddress } from '../http/client-address.ts'
import { provenance } from '../http/origin.ts'
import type { World } from '../world.ts'
import type { Transport } from './connection.ts'
import type { Lines } from './lines.ts'

/** The socket's own limit: beyond it ws closes with 1009 before anything is kept. */
const MAX_PAYLOAD_BYTES = 128 * 1024
/** A browser cuts a frame into a few pieces at most; each piece and each packet costs far more than its bytes. */
const MAX_PIECES = { maxFragments: 128, maxBufferedChunks: 4096 } // newer than ws's type declarations
/** How long a client has to answer a close before the socket is cut. */
const CLOSE_MS = 2_000
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const NOTHING = new Uint8Array()

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Serves `GET /live`. Answers what listens to the server's upgrades: those of other paths go elsewhere. ws takes them
 * as they come, since @hono/node-ws keeps each request whose handshake fails: ten thousand of them took 300 MB.
 */
export function serveLive(world: World, lines: Lines): (server: Server, elsewhere: Upgrade) => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    ...MAX_PIECES,
  })
  return (server, elsewhere) => {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      if (request.url?.split('?')[0] !== '/live') elsewhere(request, socket, head)
      else if (provenance(world.settings, request) === 'own') {
        sockets.handleUpgrade(request, socket, head, (ws) => {
          openLine(lines, ws, socket, ownAddress(world.settings, request))
        })
      } else {
        socket.once('finish', () => socket.destroy())
        socket.end(FORBIDDEN)
      }
    })
  }
}

function openLine(lines: Lines, ws: WebSocket, socket: Duplex, address: string | null): void {
  const line = lines.accept(webSocketTransport(ws, socket), address)
  // Text is as little of a frame as nothing is.
  ws.on('message', (data: Buffer, isBinary) => line.receive(isBinary ? data : NOTHING)) // a Buffer by ws's default
  ws.on('pong', line.pong)
  ws.on('error', () => ws.terminate()) // its close event follows
  ws.on('close', line.closed)
}

/** Frames were made once for everyone, so they go to the socket as they are, past ws's own sender. */
function webSocketTransport(ws: WebSocket, socket: Duplex): Transport {
  return {
    send: (batch) => {
      if (ws.readyState === ws.OPEN) socket.write(batch.frame())
    },
    waiting: () => socket.writableLength,
    ping: () => ws.ping(),
    close: (code, reason) => {
      ws.close(code, reason)
      setTimeout(() => ws.terminate(), CLOSE_MS).unref()
    },
  }
}
