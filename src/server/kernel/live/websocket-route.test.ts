import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { encode, Kind } from '../../../shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import { FrameHead, openRawWebSocket, rawFrame, repeatFrame } from '../../testing/fixtures/raw-websocket.ts'
import { openTestRegion, type TestRegion } from '../../testing/fixtures/test-region.ts'
import { serveLive } from './websocket-route.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Invalid handshakes, by what is wrong with them: method and header lines. */
const invalidHandshakes: Record<string, [method: string, ...lines: string[]]> = {
  'no key': ['GET', 'Sec-WebSocket-Version: 13'],
  'an invalid key': ['GET', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x'],
  'an unknown version': ['GET', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
  'another method': ['POST', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
}

describe('GET /live', () => {
  let region: TestRegion
  let port: number
  let requests: WeakRef<IncomingMessage>[]
  /** The socket of the last upgrade. */
  let upgraded: Socket
  beforeEach(async () => {
    region = await openTestRegion()
    requests = []
    const server = createServer().listen(0, '127.0.0.1')
    server.on('upgrade', (request) => {
      requests.push(new WeakRef(request))
      upgraded = request.socket
    })
    serveLive(region.appContext, region.connections)(server, (_request, socket) => socket.destroy())
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port // it listens on a port, not on a pipe
    return async () => {
      server.close()
      await region.destroy()
    }
  })

  const attemptHandshake = async (method: string, ...lines: string[]) => {
    const socket = connect(port, '127.0.0.1')
    const origin = `127.0.0.1:${port}`
    const commonHeaders = [`Host: ${origin}`, `Origin: http://${origin}`, 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write(`${[`${method} /live HTTP/1.1`, ...commonHeaders, ...lines].join('\r\n')}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    await once(socket, 'close')
    return String(answer).split(' ')[1]
  }

  const keptRequests = () => {
    collectGarbage()
    return requests.filter((request) => request.deref()).length
  }

  it.each(Object.entries(invalidHandshakes))(
    'refuses a handshake with %s and keeps nothing of it in memory',
    async (_, [method, ...lines]) => {
      for (let attempt = 0; attempt < 5; attempt++) expect(await attemptHandshake(method, ...lines)).toMatch(/^40[05]$/)

      expect(requests).toHaveLength(5)
      await expect.poll(keptRequests).toBe(0)
    },
  )

  const open = () => openRawWebSocket(`http://127.0.0.1:${port}`)

  const sayHello = async ({ ws }: { ws: WebSocket }) => {
    const { token } = await region.createGuest('ada')
    ws.send(encode([Kind.request, 1, 'hello', { protocol: PROTOCOL_MAJOR, token, browserId: 'b', platform: 'web' }]))
    await once(ws, 'message')
  }

  it('[LIVE-42] closes a connection that sends a message in 129 fragments', async () => {
    const { socket, closed } = await open()
    const fragments = repeatFrame(rawFrame(FrameHead.continuation, Uint8Array.of(0xc0)), 128)
    socket.write(Buffer.concat([rawFrame(FrameHead.unfinishedBinary), fragments]))
    expect(await closed).toBe(1008)
  })

  it.each(['ping', 'pong'] as const)('[LIVE-40] closes a connection after 60 %ss, before hello too', async (kind) => {
    const { ws, socket, closed } = await open()
    socket.write(repeatFrame(rawFrame(FrameHead[kind]), 59))
    ws.ping()
    await once(ws, 'pong')
    expect(ws.readyState).toBe(WebSocket.OPEN)
    // More than one, because points come back in real time.
    socket.write(repeatFrame(rawFrame(FrameHead[kind]), 70))
    expect(await closed).toBe(4429)
  })

  it('[LIVE-40] lets a client ping every few seconds', async () => {
    const { ws } = await open()
    for (let turn = 0; turn < 100; turn++) {
      region.clockOffset.aheadMs += 3_000
      ws.ping()
      await once(ws, 'pong')
    }
    expect(region.connections.size).toBe(1)
  })

  it('[LIVE-41] closes a connection that sends more than 128 KiB before hello is answered', async () => {
    const { socket, closed } = await open()
    const fragment = rawFrame(FrameHead.continuation, new Uint8Array(60_000))
    socket.write(Buffer.concat([rawFrame(FrameHead.unfinishedBinary), fragment, fragment, fragment]))
    expect(await closed).toBe(4429)
  })

  it('[LIVE-39] closes a connection that sends too many bytes, and reads no more of them', async () => {
    const client = await open()
    await sayHello(client)
    const frame = rawFrame(FrameHead.binary, encode([Kind.signal, 'nothing', { text: 'x'.repeat(60_000) }]))
    client.socket.write(repeatFrame(frame, 200))
    expect(await client.closed).toBe(4429)
    await expect.poll(() => region.connections.size).toBe(0)
    expect(upgraded.bytesRead).toBeLessThan(2 * 1024 * 1024)
  })

  it('[LIVE-46] closes connections when those of one address send too much together', async () => {
    const clients = await Promise.all(Array.from({ length: 100 }, open))
    const frame = rawFrame(FrameHead.unfinishedBinary, new Uint8Array(60_000))
    const rest = rawFrame(FrameHead.continuation, new Uint8Array(60_000))
    for (const { socket } of clients) socket.write(Buffer.concat([frame, rest]))
    expect(await Promise.race(clients.map(({ closed }) => closed))).toBe(4429)
  })

  it('[LIVE-39] [LIVE-41] closes a connection that sends its frames byte by byte', async () => {
    for (const isOpen of [false, true]) {
      const client = await open()
      if (isOpen) await sayHello(client)
      client.socket.write(Buffer.concat([Uint8Array.of(FrameHead.binary, 0xfe, 0xff, 0xff), new Uint8Array(4)]))
      for (let sent = 0; sent < 20_000 && client.ws.readyState === WebSocket.OPEN; sent++) {
        client.socket.write('a')
        await setImmediate() // else the system joins what the server has not read yet
      }
      expect(await client.closed).toBe(4429)
    }
  })
})
