import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressFiles } from '../render/compress.ts'
import { staticFiles } from './static-files.ts'

const script = 'console.log("Meydan");'.repeat(100)
const picture = Buffer.from('RIFF----WEBP and noise that does not get smaller')
let folder: string
let app: Hono

beforeAll(async () => {
  const outside = mkdtempSync(join(tmpdir(), 'meydan-static-'))
  folder = join(outside, 'client')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'staticImages'))
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(join(folder, '.vite/manifest.json'), '{}')
  writeFileSync(join(folder, 'assets/main-abcdefgh.js'), script)
  writeFileSync(join(folder, 'staticImages/female.webp'), picture)
  writeFileSync(join(folder, 'manifest.webmanifest'), JSON.stringify({ name: 'Meydan '.repeat(100) }))
  await compressFiles(folder)
  app = new Hono().use(await staticFiles(folder)).all('*', (c) => c.text('the site', 404))
})

afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { headers, method })

describe('a built file', () => {
  const path = '/assets/main-abcdefgh.js'

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, GZIP ; q=0.5', 'gzip', gunzipSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['gzip;q=0.8, br;q=0.8', 'br', brotliDecompressSync],
    ['*', 'br', brotliDecompressSync],
    ['br;q=0, *;q=0.1', 'gzip', gunzipSync],
  ])('is sent in its precompressed version for Accept-Encoding: %s', async (accepted, encoding, decompress) => {
    const answer = await get(path, { 'Accept-Encoding': accepted })
    const body = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('Content-Encoding')).toBe(encoding)
    expect(answer.headers.get('Content-Length')).toBe(String(body.length))
    expect(decompress(body).toString()).toBe(script)
  })

  it.each(['', 'identity', 'br;q=0', 'zstd', '*;q=0', 'br;q=x', 'gzip;q=0, br;q=0, *'])(
    'is sent uncompressed for Accept-Encoding "%s"',
    async (accepted) => {
      const answer = await get(path, accepted ? { 'Accept-Encoding': accepted } : {})
      expect(answer.headers.get('Content-Encoding')).toBeNull()
      expect(answer.headers.get('Vary')).toBe('Accept-Encoding')
      expect(await answer.text()).toBe(script)
    },
  )

  it('has no body in answer to HEAD and to If-None-Match, and the same headers', async () => {
    const accepted = { 'Accept-Encoding': 'br' }
    const full = await get(path, accepted)
    const head = await get(path, accepted, 'HEAD')
    expect([head.status, await head.text(), [...head.headers]]).toEqual([200, '', [...full.headers]])
    const known = await get(path, { ...accepted, 'If-None-Match': full.headers.get('ETag') ?? '' })
    expect([known.status, await known.text()]).toEqual([304, ''])
    for (const name of ['ETag', 'Vary', 'Cache-Control']) expect(known.headers.get(name)).toBe(full.headers.get(name))
    // The tag of one encoding does not stand for another.
    const other = await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': full.headers.get('ETag') ?? '' })
    expect(other.status).toBe(200)
  })

  it('is sent whole in answer to Range, as the RFC allows', async () => {
    const answer = await get(path, { Range: 'bytes=0-9' })
    expect([answer.status, await answer.text(), answer.headers.get('Accept-Ranges')]).toEqual([200, script, null])
  })

  it('is cached for a year, because its name changes with its content', async () => {
    const { headers } = await get(path)
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
  })
})

describe('a built file with a fixed name', () => {
  const path = '/staticImages/female.webp'

  it('is revalidated after an hour, with 304 while it is unchanged', async () => {
    const first = await get(path)
    const etag = first.headers.get('ETag') ?? ''
    expect(first.headers.get('Content-Type')).toBe('image/webp')
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=3600, stale-while-revalidate=86400')
    expect(Buffer.from(await first.arrayBuffer())).toEqual(picture)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'If-None-Match': known })
      expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', etag])
    }
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  it('has a different ETag in each encoding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) =>
        (await get('/manifest.webmanifest', { 'Accept-Encoding': encoding })).headers.get('ETag'),
      ),
    )
    expect((await get('/manifest.webmanifest')).headers.get('Content-Type')).toBe('application/manifest+json')
    expect(new Set(tags).size).toBe(3)
  })
})

it('HEAD answers with headers only', async () => {
  const answer = await get('/staticImages/female.webp', {}, 'HEAD')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(answer.headers.get('Content-Length')).toBe(String(picture.length))
})

it.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..\\..\\secret.txt',
  '//secret.txt',
  '/assets/main-abcdefgh.js.br',
  '/.vite/manifest.json',
  '/assets/',
  '/assets/main-abcdefgh.js%00.webp',
  '/%',
])('serves no path outside its files: %s', async (path) => {
  const answer = await app.fetch(new Request(`http://localhost${path}`))
  expect([answer.status, await answer.text()]).toEqual([404, 'the site'])
})

it('passes other methods on', async () => {
  expect((await get('/staticImages/female.webp', {}, 'POST')).status).toBe(404)
})
