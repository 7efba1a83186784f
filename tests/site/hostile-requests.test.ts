// @module-tag deep

import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { PATIENCE_MS } from '../drivers/patience.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

let site: SiteProcess
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

/** Writes raw bytes and returns all that comes back until the server ends the connection. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      received += text
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

describe('a hostile client', () => {
  it('gets refusals after the limit when it pipelines thousands of requests', async () => {
    const get = 'GET /api/region HTTP/1.1\r\nHost: x\r\n' // cheap, so that the limit does not refill meanwhile
    const answers = await exchange(`${`${get}\r\n`.repeat(2_000)}${get}Connection: close\r\n\r\n`)
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    expect(statuses.filter((status) => status === '200').length).toBeGreaterThanOrEqual(300)
    expect(statuses).toContain('429')
    expect((await fetch(`${site.origin}/healthz`)).status).toBe(200)
    await vi.waitFor(async () => expect((await fetch(site.origin)).status).toBe(200), { timeout: PATIENCE_MS })
  })

  it('[HTTP-09] does not keep another address from being answered while it pipelines on 50 sockets', async () => {
    const port = Number(new URL(site.origin).port)
    const packet = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000)
    let answered = 0
    const sockets = Array.from({ length: 50 }, () => connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }))
    for (const socket of sockets) {
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          answered += bytes.toString('latin1').split('HTTP/1.1 200').length - 1
        })
      socket.write(packet)
    }
    await vi.waitFor(() => expect(answered).toBeGreaterThan(0), { timeout: PATIENCE_MS })
    expect((await fetch(`${site.origin}/healthz`)).status).toBe(200)
    expect(answered).toBeLessThan(50 * 2_000)
    for (const socket of sockets) socket.destroy()
  })

  it('[HTTP-12] is refused with a text and closed when it sends two Host headers', async () => {
    const answer = Buffer.from(await exchange('GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'), 'latin1').toString()
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain(refusals.InvalidInput.message)
  })

  it('[HTTP-12] [HTTP-17] is counted in the metrics, which a foreign name does not reach', async () => {
    const metrics = await (await fetch(`${site.origin}/metrics`)).text()
    expect(metrics).toMatch(/^meydan_http_refused_total\{reason="host"\} [1-9]/m)
    const foreign = await exchange('GET /metrics HTTP/1.1\r\nHost: meydan.example\r\nConnection: close\r\n\r\n')
    expect(foreign).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('gets HTTP/1.1 when it offers another protocol', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Config\r\nUpgrade: h2c\r\nHTTP2-Config: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
    const offered = exchange(
      `GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(await offered).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('causes no error when it disconnects while sending', async () => {
    const head =
      'POST /api/users/guest-login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
    await new Promise<void>((resolve) => socket.write(head, () => resolve()))
    socket.destroy()
    await fetch(`${site.origin}/healthz`)
    await site.signal('SIGTERM')
    expect(site.output()).not.toContain('"level":"error"')
  })

  it('cannot read the data folder as another user of the machine', () => {
    for (const file of ['meydan.db', 'secret']) {
      expect(statSync(join(site.dataFolder, file)).mode & 0o077, file).toBe(0)
    }
  })
})
