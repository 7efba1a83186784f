import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestRegion, type TestRegion } from '../testing/fixtures/test-region.ts'
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
  beforeEach(async () => {
    region = await openTestRegion()
    requests = []
    const server = createServer().listen(0, '127.0.0.1')
    server.on('upgrade', (request) => requests.push(new WeakRef(request)))
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

  it('closes a connection that sends a message in 200 fragments', async () => {
    const origin = `127.0.0.1:${port}`
    const client = new WebSocket(`ws://${origin}/live`, { origin: `http://${origin}` })
    await once(client, 'open')
    for (let fragment = 0; fragment < 200; fragment++) client.send(Uint8Array.of(0xc0), { fin: false })
    expect((await once(client, 'close'))[0]).toBe(1008)
  })
})
