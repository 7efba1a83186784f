import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import type { DiskLevel } from './disk-watch.ts'
import { type OperationsContext, operationsRoutes } from './health.ts'
import { addressPseudonym, createLog, requestLog } from './logging.ts'
import { createMetrics } from './metrics.ts'

interface LogLine {
  requestId?: string
  err?: { stack: string }
}

const servers: ServerType[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function createContext(changes: Partial<OperationsContext> = {}): OperationsContext {
  return {
    config: { metricsToken: null, trustedProxies: [] },
    reader: { cursor: () => 7 },
    metrics: createMetrics(),
    replicationStatus: { notReadyReason: () => null },
    disk: { level: 'normal' },
    isStopping: () => false,
    ...changes,
  }
}

async function listen(app: Hono): Promise<string> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  servers.push(server)
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has no other address
}

async function statusOf(changes: Partial<OperationsContext>, path: string, headers: Record<string, string> = {}) {
  const response = await fetch((await listen(operationsRoutes(createContext(changes)))) + path, { headers })
  return response.status
}

describe('health', () => {
  it('/healthz answers 200 whether the region is ready or not', async () => {
    expect(await statusOf({ isStopping: () => true }, '/healthz')).toBe(200)
  })

  it('/readyz answers 200 while the database is readable and the region accepts work', async () => {
    expect(await statusOf({}, '/readyz')).toBe(200)
    expect(await statusOf({ isStopping: () => true }, '/readyz')).toBe(503)
    const broken = () => {
      throw new Error('disk I/O error')
    }
    expect(await statusOf({ reader: { cursor: broken } }, '/readyz')).toBe(503)
    expect(await statusOf({ replicationStatus: { notReadyReason: () => 'catching up' } }, '/readyz')).toBe(503)
  })
})

it('[FILE-33] /readyz says what is refused on a disk that is nearly full, and stays ready', async () => {
  const textOf = async (level: DiskLevel) => {
    const response = await fetch(`${await listen(operationsRoutes(createContext({ disk: { level } })))}/readyz`)
    return [response.status, await response.text()]
  }
  expect(await textOf('normal')).toEqual([200, 'ready'])
  expect(await textOf('noUploads')).toEqual([200, expect.stringMatching(/^ready, .* no uploads$/)])
  expect(await textOf('noGuestMessages')).toEqual([200, expect.stringMatching(/^ready, .*messages of guests$/)])
})

describe('metrics', () => {
  it('[REG-31] show the counters, and read the gauges at each scrape', async () => {
    const metrics = createMetrics()
    let connections = 0
    const regionGauges = { lagMs: () => 1_500, links: () => 2, waitingAnswers: () => 4 }
    metrics.registerGauges({ connections: () => connections, queueLength: () => 3, ...regionGauges })
    metrics.recordForwardedCommand('answered')
    metrics.recordStaleAnswer()
    metrics.recordUnacknowledgedAnswer()
    metrics.recordLostEvents(6)
    metrics.recordCommand('sendMessage', 'ok')
    metrics.recordCommand('sendMessage', 'TooManyInARow')
    metrics.recordCommit(32, 4)
    metrics.recordPageRender('/room/:id', 3)
    connections = 12
    const text = await metrics.text()
    const regionLines = [
      'replication_lag_seconds 1.5',
      'links 2',
      'answers_waiting_for_replication 4',
      'forwarded_commands_total{outcome="answered"} 1',
    ]
    const counterLines = ['stale_answers_total 1', 'unacknowledged_answers_total 1', 'events_lost_total 6']
    for (const line of [...regionLines, ...counterLines]) expect(text).toContain(`meydan_${line}`)
    expect(text).toContain('meydan_commands_total{name="sendMessage",outcome="ok"} 1')
    expect(text).toContain('meydan_commands_total{name="sendMessage",outcome="TooManyInARow"} 1')
    expect(text).toContain('meydan_commit_batch_size_bucket{le="32"} 1')
    expect(text).toContain('meydan_commit_batch_size_bucket{le="16"} 0')
    expect(text).toContain('meydan_commit_seconds_bucket{le="0.005"} 1')
    expect(text).toContain('meydan_page_render_seconds_count{page="/room/:id"} 1')
    expect(text).toContain('meydan_connections 12')
    expect(text).toContain('meydan_writer_queue_length 3')
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  })

  it('are separate for two regions of one process', async () => {
    const [first, second] = [createMetrics(), createMetrics()]
    first.recordCommand('sendMessage', 'ok')
    expect(await second.text()).not.toContain('sendMessage')
  })

  it('are readable from loopback when no token is set', async () => {
    expect(await statusOf({}, '/metrics')).toBe(200)
  })

  it('[HTTP-17] are refused behind a proxy when no token is set', async () => {
    const config = { metricsToken: null, trustedProxies: ['127.0.0.1'] }
    expect(await statusOf({ config }, '/metrics')).toBe(403)
    expect(await statusOf({}, '/metrics', { 'X-Forwarded-For': '203.0.113.9' })).toBe(403)
    expect(await statusOf({}, '/metrics', { Forwarded: 'for=203.0.113.9' })).toBe(403)
    expect(await statusOf({}, '/metrics', { Via: '1.1 proxy' })).toBe(403)
  })

  it.each([
    ['localhost', 200],
    ['LOCALHOST:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['meydan.example', 403],
    ['localhost.meydan.example', 403],
    ['127.0.0.1.meydan.example', 403],
  ])('[HTTP-17] answer requests for the host %s with %i when no token is set', async (host, status) => {
    const origin = new URL(await listen(operationsRoutes(createContext())))
    const [response] = await once(
      get({ host: origin.hostname, port: origin.port, path: '/metrics', headers: { host } }),
      'response',
    )
    expect(response.resume().statusCode).toBe(status)
  })

  it('need the token from every address when one is set', async () => {
    const config = { metricsToken: 'a-long-enough-token', trustedProxies: ['127.0.0.1'] }
    expect(await statusOf({ config }, '/metrics')).toBe(401)
    expect(await statusOf({ config }, '/metrics', { Authorization: 'Bearer a-long-enough-tokem' })).toBe(401)
    expect(await statusOf({ config }, '/metrics', { Authorization: 'Bearer null' })).toBe(401)
    expect(await statusOf({ config }, '/metrics', { Authorization: 'Bearer a-long-enough-token' })).toBe(200)
  })
})

describe('the log', () => {
  function captured() {
    const lines: string[] = []
    const log = createLog({ logLevel: 'debug' }, { write: (line) => void lines.push(line) })
    return { log, lines, parsed: () => lines.map((line): LogLine => JSON.parse(line)) }
  }

  it('writes one JSON object per line, with the time and the name of the level', () => {
    const { log, parsed } = captured()
    log.info({ userId: 5 }, 'hello')
    expect(parsed()).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), userId: 5, msg: 'hello' }])
  })

  it('redacts personal fields, also inside a logged object', () => {
    const { log, lines } = captured()
    log.error(
      { username: 'Ayşe', input: { content: 'gizli söz', password: 'parola12' }, err: new Error('why') },
      'oops',
    )
    expect(lines.join('')).not.toMatch(/Ayşe|gizli|parola12/)
    expect(lines.join('')).toContain('why')
  })

  it('logs a request by route and id, never by its path, which may contain a username', async () => {
    const { log, lines, parsed } = captured()
    const app = new Hono()
    app.use(requestLog(log))
    app.get('/api/users/username/:name', (context) => context.text('found'))
    const answer = await app.request('/api/users/username/ay%C5%9Fe')
    await app.request('/no/such/ay%C5%9Fe')
    expect(parsed()[0]).toMatchObject({ level: 'debug', route: '/api/users/username/:name', status: 200 })
    expect(parsed()[0]?.requestId).toBe(answer.headers.get('X-Request-Id'))
    expect(lines.join('')).not.toContain('ay%')
  })

  it('logs a failure with its stack', async () => {
    const { log, parsed } = captured()
    const app = new Hono()
    app.use(requestLog(log))
    app.get('/', () => {
      throw new Error('a bug')
    })
    app.onError((_, context) => context.text('failed', 500))
    await app.request('/')
    expect(parsed()[0]).toMatchObject({ level: 'error', status: 500, err: { message: 'a bug' } })
    expect(parsed()[0]?.err?.stack).toContain('operations.test.ts')
  })

  it('replaces addresses with pseudonyms that are equal for equal addresses', () => {
    expect(addressPseudonym('203.0.113.9')).toBe(addressPseudonym('203.0.113.9'))
    expect(addressPseudonym('203.0.113.9')).not.toBe(addressPseudonym('203.0.113.10'))
    expect(addressPseudonym('203.0.113.9')).not.toContain('203')
  })
})
