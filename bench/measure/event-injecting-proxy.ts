import { EventEmitter, once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket, { WebSocketServer } from 'ws'
import type { ServerValue } from '../../src/shared/protocol/frame.ts'
import { decodeServerFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'

const JOIN_TIMEOUT_MS = 60_000

/** Stands between a browser and a site, and can say things to the browser that the site did not. */
export interface EventInjectingProxy {
  origin: string
  /** Resolves when the next browser's line is in a room; rejects when none comes in time. */
  waitForJoin(): Promise<unknown>
  /** Every browser that is in a room hears this as if it were the next event of the site's log. */
  injectEvent(name: string, payload: object): void
  stop(): Promise<void>
}

/**
 * What a browser does with 100 messages a second in a full room cannot be had from the site on the same machine: it
 * would deliver 200,000 a second, and leave the browser nothing. So page, entry and people are the site's own, and
 * only the messages are put between its frames.
 */
export async function startEventInjectingProxy(site: { port: number }): Promise<EventInjectingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming
    const forward = ask({ host: '127.0.0.1', port: site.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forward.on('error', () => outgoing.destroy())
    incoming.pipe(forward)
  })
  const doors = new WebSocketServer({ server, perMessageDeflate: false })
  const lines = new Map<WebSocket, { cursor: number }>()
  const joins = new EventEmitter()
  doors.on('connection', (browser, { headers }) => {
    const { origin, host, cookie } = headers
    const upstream = new WebSocket(`ws://127.0.0.1:${site.port}/live`, {
      headers: { origin, host, ...(cookie && { cookie }) },
      perMessageDeflate: false,
    })
    const opened = once(upstream, 'open')
    browser.on('message', (frame: Buffer) => void opened.then(() => upstream.send(frame)))
    browser.on('close', () => {
      lines.delete(browser)
      upstream.terminate()
    })
    upstream.on('message', (frame: Buffer) => {
      browser.send(frame)
      const cursor = findJoinCursor(decodeServerFrame(frame))
      if (cursor === null) return
      lines.set(browser, { cursor })
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
      for (const [browser, line] of lines) browser.send(encode([Kind.event, ++line.cursor, name, payload as never]))
    },
    stop: async () => {
      for (const browser of doors.clients) browser.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What the answer to joinRoom covers; null when it is not in this frame. It alone says for how long one has been in. */
function findJoinCursor(values: readonly ServerValue[]): number | null {
  for (const value of values) {
    if (value[0] === Kind.answer && 'inRoomForMs' in value[2]) return Number(value[2].cursor)
  }
  return null
}
