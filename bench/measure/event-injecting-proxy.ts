import { EventEmitter, once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket, { WebSocketServer } from 'ws'
import { decodeServerFrame, encode, Kind, type ServerValue } from '../../src/shared/protocol/frame.ts'

const JOIN_TIMEOUT_MS = 60_000

/** A proxy between browsers and a site that can send the browsers additional events. */
export interface EventInjectingProxy {
  origin: string
  /** Resolves when the next browser has joined a room; rejects after 60 s. */
  waitForJoin(): Promise<unknown>
  /** Sends an event to every browser in a room, as the next event of the site's log. */
  injectEvent(name: string, payload: object): void
  stop(): Promise<void>
}

/**
 * A browser cannot be measured with 100 messages a second in a full room of a site on the same machine: the site
 * would deliver 200,000 a second and leave the browser no CPU. So page, session and people come from the site, and
 * only the messages are injected between its frames.
 */
export async function startEventInjectingProxy(site: { port: number }): Promise<EventInjectingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming
    const forward = sendRequest({ host: '127.0.0.1', port: site.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => outgoing.destroy())
    incoming.pipe(forward)
  })
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false })
  const cursors = new Map<WebSocket, { cursor: number }>()
  const joins = new EventEmitter()
  webSockets.on('connection', (browser, { headers }) => {
    const { origin, host, cookie } = headers
    const upstream = new WebSocket(`ws://127.0.0.1:${site.port}/live`, {
      headers: { origin, host, ...(cookie && { cookie }) },
      perMessageDeflate: false,
    })
    const opened = once(upstream, 'open')
    browser.on('message', (frame: Buffer) => void opened.then(() => upstream.send(frame)))
    browser.on('close', () => {
      cursors.delete(browser)
      upstream.terminate()
    })
    upstream.on('message', (frame: Buffer) => {
      browser.send(frame)
      const cursor = findJoinCursor(decodeServerFrame(frame))
      if (cursor === null) return
      cursors.set(browser, { cursor })
      joins.emit('join')
    })
    upstream.on('close', () => browser.terminate())
    upstream.on('error', () => browser.terminate())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an AddressInfo, not a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    waitForJoin: () => once(joins, 'join', { signal: AbortSignal.timeout(JOIN_TIMEOUT_MS) }),
    injectEvent: (name, payload) => {
      for (const [browser, joined] of cursors)
        browser.send(encode([Kind.event, ++joined.cursor, name, payload as never]))
    },
    stop: async () => {
      for (const browser of webSockets.clients) browser.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The cursor in the answer to joinRoom; null when the frame has no such answer. Only that answer has `inRoomForMs`. */
function findJoinCursor(values: readonly ServerValue[]): number | null {
  for (const value of values) {
    if (value[0] === Kind.answer && 'inRoomForMs' in value[2]) return Number(value[2].cursor)
  }
  return null
}
