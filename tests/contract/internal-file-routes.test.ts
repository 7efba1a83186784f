import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signFileRequest } from '../../src/server/kernel/files/request-signature.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

const hash = 'ab'.repeat(32)
/** As many as one address may send at once. */
const REQUESTS = 300
let site: HttpRegion
beforeAll(async () => {
  site = await startHttpRegion()
})
afterAll(async () => {
  vi.useRealTimers()
  await site.close()
})

const requestFile = (authorization?: string) =>
  fetch(`${site.origin}/link/files/${hash}`, { headers: authorization === undefined ? {} : { authorization } })

it('[FILE-14] limits requests of strangers but not those of other regions', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] }) // nothing of the limit comes back, however long this takes
  const ticket = signFileRequest(site.region.appContext.keys.files, { method: 'GET', hash, size: null })
  for (let count = 0; count < REQUESTS + 100; count++) expect((await requestFile(ticket)).status).toBe(404)
  const elsewhere = await fetch(`${site.origin}/nowhere`)
  const stranger = await requestFile('Meydan-File abc')
  expect([stranger.status, await stranger.text()]).toEqual([404, await elsewhere.text()])
  for (let count = 2; count < REQUESTS; count++) expect((await requestFile()).status).toBe(404)
  expect((await requestFile()).status).toBe(429)
}, 60_000)
