import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

let site: SiteProcess
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

/** Writes raw bytes and answers all that comes back until the server ends the connection. */
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
  it('gets refusals after the limit when it pipelines hundreds of requests', async () => {
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n'
    const answers = await exchange(`${`${get}\r\n`.repeat(600)}${get}Connection: close\r\n\r\n`)
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    expect(statuses.filter((status) => status === '200').length).toBeGreaterThanOrEqual(300)
    expect(statuses).toContain('429')
    expect((await fetch(`${site.origin}/healthz`)).status).toBe(200)
    await vi.waitFor(async () => expect((await fetch(site.origin)).status).toBe(200), { timeout: 10_000 })
  })

  it('gets HTTP/1.1 when it offers another protocol', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
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
