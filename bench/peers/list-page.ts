import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import { WebSocketServer } from 'ws'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { List } from './list.ts'

/**
 * As the room does. TBT counts from the first paint on, so a script that raced it would be counted in some loads only, at
 * the price of a later paint.
 */
const HYDRATE_AFTER_PAINT = `<script type="module">requestAnimationFrame(() => setTimeout(() => import('/list.js')))</script>`

const CONNECT_TIMEOUT_MS = 60_000

/** A page with nothing but a list of messages, live over a plain WebSocket with JSON. */
export interface ListPage {
  url: string
  /** Resolves when the next browser has connected; rejects after 60 s. */
  waitForConnection(): Promise<unknown>
  /** Sends a message to every open page. */
  pushMessage(message: Message): void
  stop(): Promise<void>
}

/** @param styles URLs of the style sheets of the room page */
export async function startListPage(messages: readonly Message[], styles: readonly string[]): Promise<ListPage> {
  const script = await bundle()
  const document = renderDocument(messages, styles)
  const server = createServer((request, response) => {
    const isScript = request.url === '/list.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(isScript ? script : document)
  })
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an AddressInfo, not a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    waitForConnection: () => once(webSockets, 'connection', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) }),
    pushMessage: (message) => {
      const text = JSON.stringify(message)
      for (const client of webSockets.clients) client.send(text)
    },
    stop: async () => {
      for (const client of webSockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bundle(): Promise<Buffer> {
  const folder = resolve('.cache/bench', randomUUID())
  try {
    await build({
      configFile: false,
      logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: folder,
        target: 'es2023',
        modulePreload: { polyfill: false },
        rolldownOptions: { input: 'bench/peers/list-browser.ts', output: { entryFileNames: 'list.js' } },
      },
    })
    return await readFile(join(folder, 'list.js'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function renderDocument(messages: readonly Message[], styles: readonly string[]): string {
  const props = JSON.stringify({ messages }).replaceAll('<', '\\u003c')
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('')
  return (
    `<!doctype html><html lang="tr"><head><meta charset="utf-8"><title>list</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${links}` +
    `<link rel="modulepreload" href="/list.js" fetchpriority="low">${HYDRATE_AFTER_PAINT}</head>` +
    `<body><div class="room-frame"><main id="root">${renderToString(createElement(List, { messages }))}</main></div>` +
    `<script type="application/json" id="props">${props}</script></body></html>`
  )
}
