import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createNodeWebSocket } from '@hono/node-ws'
import type { WebSocket } from 'ws'
import { CloseCode } from '../../shared/protocol/frame.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { type NodeApp, refusalResponse } from '../http/mount.ts'
import { provenance } from '../http/origin.ts'
import type { World } from '../world.ts'
import type { Transport } from './connection.ts'
import type { Lines } from './lines.ts'

/** The socket's own limit: beyond it ws closes with 1009 before anything is kept. */
const MAX_PAYLOAD_BYTES = 128 * 1024
/** How long a client has to answer a close before the socket is cut. */
const CLOSE_MS = 2_000

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Serves `GET /live` on the app. Answers what listens to the server's upgrades: those of other paths go elsewhere. */
export function serveLive(app: NodeApp, world: World, lines: Lines): (server: Server, elsewhere: Upgrade) => void {
  const { upgradeWebSocket, injectWebSocket, wss } = createNodeWebSocket({ app })
  wss.options.maxPayload = MAX_PAYLOAD_BYTES
  app.get(
    '/live',
    async (c, next) => {
      if (provenance(world.settings, c.env.incoming) === 'own') return next()
      return refusalResponse(c, refuse('OriginNotAllowed'))
    },
    upgradeWebSocket((c) => {
      const { socket } = c.env.incoming
      return {
        onOpen: (_, { raw }) => {
          const ws = raw as WebSocket // @hono/node-ws carries ws's own socket here
          const line = lines.accept(webSocketTransport(ws, socket))
          // Listened to directly: the adapter would copy each frame and make a MessageEvent of it.
          ws.on('message', (data, isBinary) => {
            if (isBinary)
              line.receive(data as Buffer) // ws hands out Buffers unless told otherwise
            else ws.close(CloseCode.badFrame, 'binary frames only')
          })
          ws.on('pong', line.pong)
          ws.on('close', line.closed)
          ws.on('error', () => ws.terminate()) // its close event follows
        },
      }
    }),
  )
  return (server, elsewhere) => {
    const upgrades = new EventEmitter()
    injectWebSocket(upgrades as Server) // it only listens to upgrades
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      // It answers every upgrade that it sees, and one whose URL does not parse would end the process.
      if (request.url?.split('?')[0] === '/live') upgrades.emit('upgrade', request, socket, head)
      else elsewhere(request, socket, head)
    })
  }
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
