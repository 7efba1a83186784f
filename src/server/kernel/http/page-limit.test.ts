import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '../app-context.ts'
import { readConfig } from '../config.ts'
import { Pages } from '../render/pages.ts'
import type { Renderer } from '../render/renderer.ts'
import type { NodeApp } from './node-app.ts'
import { PageLimit } from './page-limit.ts'

/** The time of the limiter, and the CPU that the next page takes. */
let nowMs: number
let costMs: number
let cpuMs: number
let made: number
let app: NodeApp

function openApp(env: Record<string, string> = {}): NodeApp {
  const limit = new PageLimit({ config: readConfig(env), monotonicNow: () => nowMs }, () => cpuMs)
  return new Hono<{ Bindings: HttpBindings }>().get('/', (context) =>
    limit.run(context, () => {
      made++
      cpuMs += costMs
      return context.text('a page')
    }),
  )
}

const get = (remoteAddress: string, headers: Record<string, string> = {}) => {
  const incoming = { socket: { remoteAddress }, headers } as unknown as IncomingMessage // only these members are read
  return app.request('/', {}, { incoming } as HttpBindings)
}

beforeEach(() => {
  nowMs = 1_000
  costMs = 100
  cpuMs = 0
  made = 0
  app = openApp()
})

describe('the limit of pages', () => {
  it('[HTTP-21] weighs each page by its CPU: 5 seconds at once, then 250 ms a second, and a bystander is served', async () => {
    for (let pages = 0; pages < 50; pages++) expect((await get('192.0.2.1')).status).toBe(200)
    // The fiftieth uses the rest up, and the next one is made on credit.
    expect((await get('192.0.2.1')).status).toBe(200)
    const refused = await get('192.0.2.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toMatchObject({
      success: false,
      code: 'RateLimited',
      message: 'Çok fazla istek gönderdin. Lütfen biraz bekle.',
      waitMs: 400,
    })
    expect(made).toBe(51)
    expect((await get('192.0.2.2')).status).toBe(200)
    nowMs += 400
    expect((await get('192.0.2.1')).status).toBe(200)
    expect((await get('192.0.2.1')).status).toBe(429)
  })

  it('[HTTP-21] never refuses pages of ordinary cost at the rate of the request limit', async () => {
    costMs = 3
    for (let pages = 0; pages < 6_000; pages++) {
      nowMs += 1_000 / 60
      expect((await get('192.0.2.1')).status).toBe(200)
    }
  })

  it('[HTTP-21] counts an IPv6 network of a customer as one address', async () => {
    costMs = 6_000
    expect((await get('2001:db8::1')).status).toBe(200)
    expect((await get('2001:db8::ffff')).status).toBe(429)
    expect((await get('2001:db8:0:1::1')).status).toBe(200)
  })

  it('[HTTP-21] does not limit all clients of a proxy that the settings do not list as one', async () => {
    costMs = 6_000
    for (let pages = 0; pages < 3; pages++) {
      expect((await get('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
    }
    expect((await get('127.0.0.1')).status).toBe(200)
    expect((await get('127.0.0.1')).status).toBe(429)
  })

  it('[HTTP-22] takes its allowance from the setting', async () => {
    app = openApp({ MEYDAN_PAGE_CPU_MS: '5' })
    expect((await get('192.0.2.1')).status).toBe(200)
    expect((await get('192.0.2.1')).status).toBe(200)
    expect((await get('192.0.2.1')).status).toBe(429)
  })

  it('[HTTP-21] charges every rendered page the CPU that it really takes', async () => {
    const config = readConfig({ MEYDAN_PAGE_CPU_MS: '1' })
    const appContext = { config, monotonicNow: () => nowMs, metrics: { recordPageRender: () => {} } }
    const renderer = {
      render: () => {
        const before = process.threadCpuUsage().user
        while (process.threadCpuUsage().user - before < 25_000);
        return ['<p>']
      },
    }
    const pages = new Pages(appContext as unknown as AppContext, renderer as unknown as Renderer) // only these are used
    app = new Hono<{ Bindings: HttpBindings }>().get('/', (context) => pages.render(context, '_404', {}, null))
    expect((await get('192.0.2.1')).status).toBe(200)
    expect((await get('192.0.2.1')).status).toBe(429)
    expect((await get('192.0.2.2')).status).toBe(200)
  })
})
