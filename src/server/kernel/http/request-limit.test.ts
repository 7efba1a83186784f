import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { beforeEach, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { NodeApp } from './node-app.ts'
import { requestLimit } from './request-limit.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

let nowMs: number
let app: NodeApp

const send = async (remoteAddress: string, headers: Record<string, string> = {}) => {
  const incoming = { socket: { remoteAddress }, headers } as unknown as IncomingMessage // only these members are read
  return (await app.request('/', {}, { incoming } as HttpBindings)).status
}

async function countAccepted(address: string, headers: Record<string, string>): Promise<number> {
  for (let accepted = 0; ; accepted++) if ((await send(address, headers)) === 429) return accepted
}

beforeEach(() => {
  nowMs = 1_000
  app = new Hono<{ Bindings: HttpBindings }>()
    .use(requestLimit({ config: readConfig({}), clock: () => nowMs }))
    .get('/', (context) => context.text('ok'))
})

it('[HTTP-30] allows an address 300 requests at once and 60 a second, and a bystander meanwhile', async () => {
  expect(await countAccepted('192.0.2.1', {})).toBe(300)
  expect(await send('192.0.2.2')).toBe(200)
  nowMs += 1_000
  expect(await countAccepted('192.0.2.1', { ...JSON_TYPE, 'content-length': '4095' })).toBe(60)
})

it.each([
  ['JSON', { ...JSON_TYPE, 'content-length': '65536' }],
  ['a form', { ...FORM_TYPE, 'content-length': '65536' }],
  ['JSON of unknown length', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }],
  ['JSON that is too long', { ...JSON_TYPE, 'content-length': '999999999' }],
])('[HTTP-30] counts 64 KiB of %s as 17 requests', async (_, headers) => {
  expect(await countAccepted('192.0.2.1', headers)).toBe(17)
  expect(await countAccepted('192.0.2.1', {})).toBe(300 - 17 * 17)
})

it('[HTTP-30] counts an upload as one request, however long it is', async () => {
  const upload = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '8388608' }
  expect(await countAccepted('192.0.2.1', upload)).toBe(300)
})
