import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createNodeWebSocket } from '@hono/node-ws'
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { WebSocket } from 'ws'
import { refusals } from '../../shared/protocol/refusals.ts'
import type { World } from '../world.ts'
import type { Transport } from './connection.ts'
import type { Line, Lines } from './lines.ts'

/** The socket's own limit: beyond it ws closes with 1009 before anything is kept. */
const MAX_PAYLOAD_BYTES = 128 * 1024
/** How long a client has to answer a close before the socket is cut. */
const CLOSE_MS = 2_000

type NodeApp = Hono<{ Bindings: HttpBindings }>

/** Serves `GET /live` on the app. Answers what hands the server's upgrades to it, and nothing but `/live`. */
export function serveLive(app: NodeApp, world: World, lines: Lines): (server: Server) => void {
  const { upgradeWebSocket, injectWebSocket, wss } = createNodeWebSocket({ app })
  wss.options.maxPayload = MAX_PAYLOAD_BYTES
  app.get(
    '/live',
    async (c, next) => {
      if (isKnownOrigin(world, c.req.header('origin'), c.req.header('host'))) return next()
      return c.json({ success: false, code: 'OriginNotAllowed', message: refusals.OriginNotAllowed.message }, 403)
    },
    upgradeWebSocket((c) => {
      const { socket } = c.env.incoming
      let line: Line | null = null
      return {
        onOpen: (_, ws) => {
          const { raw } = ws as { raw: WebSocket } // @hono/node-ws carries ws's own socket here
          line = lines.accept(webSocketTransport(raw, socket))
          raw.on('pong', line.pong)
          raw.on('error', () => raw.terminate()) // its close event follows
        },
        onMessage: ({ data }, ws) => {
          if (data instanceof ArrayBuffer) line?.receive(new Uint8Array(data))
          else ws.close(4400, 'binary frames only')
        },
        onClose: () => line?.closed(),
      }
    }),
  )
  return (server) => {
    const owned = onlyLive(server)
    injectWebSocket(owned)
  }
}

/**
 * `@hono/node-ws` answers every upgrade that it sees, and one whose URL does not parse would end the process:
 * it is shown none but those of `/live`.
 */
function onlyLive(server: Server): Server {
  const shown = Object.create(server) as Server // only `on('upgrade')` is used of it
  shown.on = (event: string, listener: (...args: never[]) => void) => {
    const upgrade = listener as unknown as (request: IncomingMessage, socket: Duplex, head: Buffer) => void
    server.on(event, (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url?.split('?')[0] !== '/live') return
      socket.on('error', () => socket.destroy())
      upgrade(request, socket, head)
    })
    return shown
  }
  return shown
}

function isKnownOrigin(world: World, origin: string | undefined, host: string | undefined): boolean {
  if (!origin || !host) return false
  if (world.settings.origins.includes(origin)) return true
  return origin === `http://${host}` || origin === `https://${host}`
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
