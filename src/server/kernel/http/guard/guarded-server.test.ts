import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { refusals } from '../../../../shared/protocol/refusals.ts'
import { GuardedServer, type GuardOptions } from './guarded-server.ts'
import { readSendQueues, type SendQueue } from './send-queue-limit.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const MIB = 1024 * 1024
const CLOSING = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** Far longer than anything takes, so that a busy machine fails no test. */
const waitFor = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 30_000 })

const limits = { sockets: 20, requests: 20, upgradesPerSecond: 1, sendQueueBytes: 1024 ** 3 }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface Changes extends Partial<GuardOptions> {
  trustedProxies?: string[]
}

/** A guarded server that listens; the clients of the test are on loopback. */
async function listen(listener: RequestListener, { trustedProxies = [], ...options }: Changes = {}) {
  const guard = new GuardedServer(listener, { config: { trustedProxies, addressLimits: limits }, ...options })
  guard.server.listen(0, '127.0.0.1')
  await once(guard.server, 'listening')
  ends.push(() => void guard.server.close().closeAllConnections())
  const { port } = guard.server.address() as AddressInfo // it listens on a port
  const open = (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    ends.push(() => socket.destroy())
    return new Client(socket)
  }
  const countRefused = async (reason: string) =>
    (await guard.refused.get()).values.find(({ labels }) => labels.reason === reason)?.value ?? 0
  return { ...guard, server: guard.server, port, open, countRefused }
}

/** A socket and all that came back. */
class Client {
  received = ''
  readonly socket: Socket
  readonly closed: Promise<unknown>

  constructor(socket: Socket) {
    this.socket = socket
    this.closed = once(socket, 'close')
    socket.setEncoding('latin1').on('data', (text) => {
      this.received += text
    })
    socket.on('error', () => {}) // 'close' follows
  }

  send(text: string): this {
    this.socket.write(text)
    return this
  }

  get statuses(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '')
  }
}

/** Keeps the responses, so that the test answers when it wants. */
function holdResponses() {
  const held: ServerResponse[] = []
  const listener = (_request: IncomingMessage, response: ServerResponse) => void held.push(response)
  return { held, listener }
}

const answer: RequestListener = (request, response) => void response.end(request.url)

describe('the requests of one socket', () => {
  it('[HTTP-07] are under way eight at a time, and all are answered in order', async () => {
    const { held, listener } = holdResponses()
    const { open } = await listen(listener)
    const client = open().send(GET.repeat(99) + CLOSING)
    let answered = 0
    while (answered < 100) {
      await waitFor(() => expect(held.length).toBeGreaterThan(0))
      expect(held.length).toBeLessThanOrEqual(8)
      for (const response of held.splice(0)) response.end(`<${answered++}>`)
    }
    await client.closed
    expect([...client.received.matchAll(/<(\d+)>/g)].map(([, index]) => Number(index))).toEqual([...Array(100).keys()])
  })

  it('[HTTP-07] are not parsed while the eight before them are under way', async () => {
    const { held, listener } = holdResponses()
    const { server, open } = await listen(listener)
    let parsed = 0
    server.prependListener('request', () => parsed++)
    open().send(GET.repeat(2_000))
    await waitFor(() => expect(held).toHaveLength(8))
    open().send(GET) // arrives after all of the others
    await waitFor(() => expect(held).toHaveLength(9))
    expect(parsed).toBe(9)
  })

  it('[HTTP-07] include those with an expectation that the server does not know', async () => {
    const { held, listener } = holdResponses()
    const { open } = await listen(listener)
    open().send('GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'.repeat(50))
    await waitFor(() => expect(held).toHaveLength(8))
  })

  it('arrive whole however their bytes are cut, with bodies that hold the end of a head', async () => {
    const bodies: string[] = []
    const { open } = await listen((request, response) => {
      const chunks: Buffer[] = []
      request
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          bodies.push(String(Buffer.concat(chunks)))
          response.end('ok')
        })
    })
    const body = `a\r\n\r\n${'b'.repeat(5_000)}\r\n\r\n`
    const client = open()
    const text = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(3) + CLOSING
    for (let start = 0; start < text.length; start += 777) {
      client.send(text.slice(start, start + 777))
      await new Promise(setImmediate)
    }
    await client.closed
    expect(bodies).toEqual([body, body, body, ''])
    expect(client.statuses).toEqual(['200', '200', '200', '200'])
  })
})

describe('the requests of one address', () => {
  it('[HTTP-08] beyond the bound are refused with Busy, and their sockets are closed', async () => {
    const { held, listener } = holdResponses()
    const { open, countRefused } = await listen(listener)
    for (let socket = 0; socket < 2; socket++) open().send(GET.repeat(8))
    await waitFor(() => expect(held).toHaveLength(16))
    const third = open().send(GET.repeat(4))
    await waitFor(() => expect(held).toHaveLength(20))
    const refused = open().send(GET.repeat(500))
    await refused.closed
    expect(refused.statuses).toEqual(['503'])
    expect(refused.received).toContain('Retry-After: 1')
    expect(JSON.parse(Buffer.from(refused.received, 'latin1').toString().split('\r\n\r\n')[1] ?? '')).toEqual({
      success: false,
      code: 'Busy',
      message: refusals.Busy.message,
    })
    expect(await countRefused('requests')).toBe(1)
    // Those of a closed socket count no more.
    third.socket.destroy()
    await waitFor(() => expect(held[16]?.destroyed).toBe(true))
    open().send(GET)
    await waitFor(() => expect(held).toHaveLength(21))
  })

  it('[HTTP-08] are those of the client when a trusted proxy passes them on', async () => {
    const { held, listener } = holdResponses()
    const { open } = await listen(listener, { trustedProxies: ['127.0.0.1'] })
    const getFor = (address: string) => `GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
    for (let socket = 0; socket < 30; socket++) open().send(getFor('203.0.113.7'))
    await waitFor(() => expect(held).toHaveLength(20))
    const refused = open().send(getFor('203.0.113.7'))
    await refused.closed
    expect(refused.statuses).toEqual(['503'])
    open().send(getFor('203.0.113.8'))
    await waitFor(() => expect(held).toHaveLength(21))
  })

  it('[HTTP-09] are begun a few in a turn, so that those of others come in between', async () => {
    const order: string[] = []
    const { open } = await listen(
      (request, response) => {
        order.push(String(request.headers['x-forwarded-for']))
        response.end()
      },
      { trustedProxies: ['127.0.0.1'] },
    )
    const getFor = (address: string) => `GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
    const clients = [open(), open(), open()]
    const answered = (count: number) =>
      waitFor(() => expect(clients.every(({ statuses }) => statuses.length === count)).toBe(true))
    for (const client of clients) client.send(getFor('203.0.113.9'))
    await answered(1)
    order.length = 0
    // Written in one turn, so that the server reads all of it in one.
    const [attacker, another, bystander] = clients
    attacker?.send(getFor('203.0.113.7').repeat(8))
    another?.send(getFor('203.0.113.7').repeat(8))
    bystander?.send(getFor('203.0.113.8'))
    await waitFor(() => expect(order).toHaveLength(17))
    // Fewer when a request takes longer than the millisecond that it counts at least.
    expect(order.indexOf('203.0.113.8')).toBeLessThanOrEqual(4)
  })
})

describe('the sockets of one address', () => {
  it('[HTTP-10] beyond the bound are refused with Busy and closed, until others are closed', async () => {
    const { open, countRefused } = await listen(answer)
    const clients = Array.from({ length: 20 }, () => open().send(GET))
    await waitFor(() => expect(clients.every(({ statuses }) => statuses.length === 1)).toBe(true))
    const refused = open()
    await refused.closed
    expect(refused.statuses).toEqual(['503'])
    expect(Buffer.from(refused.received, 'latin1').toString()).toContain(refusals.Busy.message)
    expect(await countRefused('sockets')).toBe(1)
    clients[0]?.socket.destroy()
    await waitFor(async () => {
      const next = open().send(CLOSING)
      await next.closed
      expect(next.statuses).toEqual(['200'])
    })
  })

  it('[HTTP-10] include those of the live protocol behind a trusted proxy', async () => {
    const { server, port, countRefused } = await listen(answer, {
      trustedProxies: ['127.0.0.1'],
      config: { trustedProxies: ['127.0.0.1'], addressLimits: { ...limits, sockets: 2 } },
    })
    serveWebSockets(server)
    const openFor = (address: string) => openWebSocket(port, { 'x-forwarded-for': address })
    expect([await openFor('203.0.113.7'), await openFor('203.0.113.7')]).toEqual([101, 101])
    expect(await openFor('203.0.113.7')).toBe(503)
    expect(await openFor('203.0.113.8')).toBe(101)
    expect(await countRefused('sockets')).toBe(1)
  })
})

describe('upgrades', () => {
  it('[HTTP-11] of one address beyond the rate are refused with RateLimited', async () => {
    const config = { trustedProxies: [], addressLimits: { ...limits, sockets: 1_000 } }
    const { server, port, open, countRefused } = await listen(answer, { config })
    serveWebSockets(server)
    // On a slow machine some of the rate comes back meanwhile.
    let opened = 0
    let status = await openWebSocket(port)
    for (; status === 101 && opened < 500; opened++) status = await openWebSocket(port)
    expect(opened).toBeGreaterThanOrEqual(10)
    expect(status).toBe(429)
    expect(await countRefused('upgrades')).toBe(1)
    const request = open().send(CLOSING)
    await request.closed
    expect(request.statuses).toEqual(['200'])
  })

  it('get the bytes that came with their head', async () => {
    const { server, open } = await listen(answer)
    const heads: Promise<unknown>[] = []
    server.on('upgrade', (_request, socket, head) => {
      socket.unshift(head)
      heads.push(once(socket, 'data'))
      socket.resume()
    })
    open().send(`${GET}GET /live HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nfirst frame`)
    await waitFor(() => expect(heads).toHaveLength(1))
    expect(String((await heads[0]) as Buffer[])).toBe('first frame')
  })
})

describe('a request with two Host headers', () => {
  it('[HTTP-12] is refused with 400, as a page and as an upgrade', async () => {
    const { server, open, countRefused } = await listen(answer)
    serveWebSockets(server)
    for (const more of ['', 'Connection: upgrade\r\nUpgrade: websocket\r\n']) {
      const client = open().send(`GET /live HTTP/1.1\r\nHost: x\r\nhost: y\r\n${more}\r\n${GET}`)
      await client.closed
      expect(client.statuses).toEqual(['400'])
      expect(Buffer.from(client.received, 'latin1').toString()).toContain(refusals.InvalidInput.message)
    }
    expect(await countRefused('host')).toBe(2)
  })
})

describe('a client that does not go on', () => {
  const timeouts = { headMs: 200, answerStallMs: 60_000, sweepMs: 20 }

  it('[HTTP-13] is disconnected when its head does not arrive in time', async () => {
    const { open } = await listen(answer, { timeouts })
    await Promise.all([open().closed, open().send('GET / HTTP/1.1\r\nHost:').closed])
  })

  it('[HTTP-15] is disconnected when it reads nothing of its answer; one that waits for an answer is not', async () => {
    const { held, listener } = holdResponses()
    const { open, countRefused } = await listen(listener, { timeouts: { ...timeouts, answerStallMs: 300 } })
    const sleeper = open().send(GET)
    await waitFor(() => expect(held).toHaveLength(1))
    const waiting = open().send(CLOSING)
    await waitFor(() => expect(held).toHaveLength(2))
    sleeper.socket.pause()
    held[0]?.end(Buffer.alloc(64 * 1024 * 1024))
    await waitFor(() => expect(held[0]?.destroyed).toBe(true))
    expect(await countRefused('unreadAnswer')).toBe(1)
    held[1]?.end('ok')
    await waiting.closed
    expect(waiting.statuses).toEqual(['200'])
  })
})

describe.runIf(process.platform === 'linux')('what the system holds for an address', () => {
  const maxBytes = 8 * MIB
  const timeouts = { headMs: 10_000, answerStallMs: 600_000, sweepMs: 200 }
  const config = { trustedProxies: [], addressLimits: { ...limits, requests: 1_000, sendQueueBytes: maxBytes } }

  it('[HTTP-32] is bounded by a reset of those that read least, and another address gets its answers', async () => {
    const { port, open, countRefused } = await listen((_, response) => response.end(Buffer.alloc(MIB)), {
      timeouts,
      config,
    })
    const sleepers = Array.from({ length: 12 }, () => open().send(GET.repeat(8)))
    for (const { socket } of sleepers) socket.pause()
    await waitFor(async () => expect(await countRefused('unreadAnswer')).toBeGreaterThan(0))
    await waitFor(async () => expect(sumOf(await readSendQueues(port))).toBeLessThanOrEqual(maxBytes))
    const bystander = open('127.0.0.2').send(CLOSING)
    await bystander.closed
    expect(bystander.received.length).toBeGreaterThan(MIB)
  })

  it('[HTTP-33] is not exceeded by closed connections: new ones are refused until the system has ended them', async () => {
    const { port, open } = await listen((_, response) => response.end(Buffer.alloc(2 * MIB)), { timeouts, config })
    const sleepers: Client[] = []
    await waitFor(() => {
      const sleeper = open().send(CLOSING)
      sleeper.socket.pause()
      sleepers.push(sleeper)
      return expect(readSendQueues(port).then(sumOf)).resolves.toBeGreaterThan(maxBytes)
    })
    await waitFor(async () => {
      const refused = open().send(CLOSING)
      await refused.closed
      expect(refused.statuses).toEqual(['503'])
    })
    for (const { socket } of sleepers) socket.resetAndDestroy()
    await waitFor(async () => {
      const next = open().send(CLOSING)
      await next.closed
      expect(next.statuses).toEqual(['200'])
    })
  })
})

describe('a server without free descriptors', () => {
  it('[HTTP-16] refuses the newest sockets, and those that are open are served', async () => {
    const { open, countRefused } = await listen(answer, { maxConnections: 2 })
    const [first, second] = [open().send(GET), open().send(GET)]
    await waitFor(() => expect([...first.statuses, ...second.statuses]).toEqual(['200', '200']))
    const refused = open().send(GET)
    await refused.closed
    expect(refused.statuses).toEqual([])
    expect(await countRefused('descriptors')).toBe(1)
    await first.send(CLOSING).closed
    expect(first.statuses).toEqual(['200', '200'])
  })

  it('[HTTP-16] goes on when the system accepts no more', async () => {
    const onAcceptFailed = vi.fn()
    const { server, open } = await listen(answer, { onAcceptFailed })
    const error = new Error('accept EMFILE')
    server.emit('error', error)
    expect(onAcceptFailed).toHaveBeenCalledWith(error)
    const client = open().send(CLOSING)
    await client.closed
    expect(client.statuses).toEqual(['200'])
  })
})

const sumOf = (queues: SendQueue[]): number => queues.reduce((sum, { bytes }) => sum + bytes, 0)

function serveWebSockets(server: GuardedServer['server']): void {
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => {}))
}

/** The status that the upgrade is answered with. */
function openWebSocket(port: number, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers })
  ends.push(() => socket.terminate())
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
}
