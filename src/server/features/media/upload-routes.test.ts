import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturePath } from '../../../shared/media/rules.ts'
import { openTestApi, readSessionCookie, type TestApi } from '../../testing/fixtures/test-api.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'

let api: TestApi
let owner: TestUser
let viewer: TestUser
/** The file names of the owner's avatar in both sizes, and the bytes of the small one. */
let avatar: string
let large: string
let bytes: Buffer

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' })
  owner = await api.region.createRootAdmin('sahibi')
  viewer = await api.region.createGuest('bakan')
  ;[avatar, large] = await setAvatar(await createPicture('png', 700, 700))
  bytes = Buffer.from(await (await fetchUpload(avatar)).arrayBuffer())
})
afterAll(() => api.close())

/** Sets the owner's avatar and resolves to its file names, small and large. */
async function setAvatar(content: Buffer): Promise<[string, string]> {
  const body = new FormData()
  body.set('avatar', new Blob([new Uint8Array(content)]))
  const user = await updateProfile(body)
  return [String(user.avatarUrl), String(user.largeAvatarUrl)]
}

async function updateProfile(body: FormData): Promise<Record<string, unknown>> {
  const answer = await api.send('/api/users/profile', { method: 'PUT', body, headers: bearer(owner) })
  return ((await answer.json()) as { user: Record<string, unknown> }).user // the route's schema
}

const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const fetchUpload = (file: string, headers: Record<string, string> = bearer(viewer), method = 'GET') =>
  api.send(`/uploads/${file}`, { headers, method })
const summarize = async (answer: Promise<Response>) => {
  const response = await answer
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown> // a refusal; {} without JSON
  return { status: response.status, code: body.code, cacheControl: response.headers.get('cache-control') }
}
const notFound = { status: 404, code: 'NotFound', cacheControl: 'private, no-store' }

describe('an avatar', () => {
  it('[FILE-24] [FILE-25] is served to signed-in users as image/webp with nosniff and a sandbox policy', async () => {
    for (const file of [avatar, large]) {
      const answer = await fetchUpload(file)
      expect(answer.status).toBe(200)
      const content = Buffer.from(await answer.arrayBuffer())
      expect(content.subarray(8, 12).toString()).toBe('WEBP')
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(content.length),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, max-age=86400, immutable',
      })
    }
  })

  it('[FILE-24] is served with the session cookie until the session ends', async () => {
    const body = JSON.stringify({ username: 'çerezli' })
    const headers = { origin: api.origin, 'content-type': 'application/json' }
    const entered = await api.send('/api/users/guest-login', { method: 'POST', body, headers })
    const cookie = readSessionCookie(entered) ?? ''
    const { token } = (await entered.json()) as { token: string }
    expect((await fetchUpload(avatar, { cookie })).status).toBe(200)
    await api.post('/api/users/logout', {}, { authorization: `Bearer ${token}` })
    for (const ended of [{ cookie }, { authorization: `Bearer ${token}` }]) {
      expect(await summarize(fetchUpload(avatar, ended))).toMatchObject({
        status: 401,
        cacheControl: 'private, no-store',
      })
    }
  })

  it('[FILE-24] is refused with 401 without a session, like a file that does not exist', async () => {
    for (const file of [avatar, large, `${'0'.repeat(64)}.webp`, 'x']) {
      expect(await summarize(fetchUpload(file, {}))).toEqual({
        status: 401,
        code: 'NotSignedIn',
        cacheControl: 'private, no-store',
      })
      expect((await fetchUpload(file, { authorization: 'Bearer a.b.c' })).status).toBe(401)
    }
  })

  it('[FILE-24] is answered with 404 once its owner replaces or removes it', async () => {
    const before = [avatar, large]
    ;[avatar, large] = await setAvatar(await createPicture('png', 650, 650))
    for (const file of before) expect(await summarize(fetchUpload(file))).toEqual(notFound)
    bytes = Buffer.from(await (await fetchUpload(avatar)).arrayBuffer())
    const clear = new FormData()
    clear.set('clear', 'avatar')
    await updateProfile(clear)
    for (const file of [avatar, large]) expect(await summarize(fetchUpload(file))).toEqual(notFound)
    const back = await createPicture('webp', 660, 660)
    ;[avatar, large] = await setAvatar(back)
    bytes = Buffer.from(await (await fetchUpload(avatar)).arrayBuffer())
  })

  it('[FILE-24] is the only served file: every other name is answered with 404', async () => {
    const { files } = api.region.appContext
    const stored = await files.put(Buffer.from('a secret file of somebody'))
    if (!('hash' in stored)) throw new Error('not stored')
    const hash = avatar.slice(0, 64)
    const names = [
      picturePath(stored.hash),
      stored.hash,
      hash,
      `${hash}.png`,
      `${hash}.webp.webp`,
      `${hash.toUpperCase()}.webp`,
      `${hash}.webp%00`,
      `${hash}%2ewebp%20`,
      `${'0'.repeat(64)}.webp`,
      '..%2f..%2fmeydan.db',
      '%2e%2e%2fmeydan.db',
      '..%5cmeydan.db',
      '%00',
      '.webp',
      'null',
      `${"' or 1=1 --"}`,
      'x'.repeat(4_000),
    ]
    for (const name of names) expect(await summarize(fetchUpload(name)), name).toEqual(notFound)
  })

  it.each(['/uploads/../secret', '/uploads/..', '/uploads//etc/passwd', '/uploads/a/b', '/uploads/', '/uploads'])(
    '[FILE-24] is not served under the raw path %s',
    async (path) => {
      const { hostname, port } = new URL(api.origin)
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: meydan\r\nauthorization: Bearer ${viewer.token}\r\nconnection: close\r\n\r\n`,
      )
      let answer = ''
      for await (const chunk of socket) answer += chunk
      expect(answer).toMatch(/^HTTP\/1\.1 404/)
    },
  )

  it('[FILE-24] cannot be changed or deleted by its URL', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await fetchUpload(avatar, bearer(owner), method)).status).toBe(404)
    }
    expect((await fetchUpload(avatar)).status).toBe(200)
  })
})

describe('a range of an avatar', () => {
  const fetchRange = (range: string, extraHeaders: Record<string, string> = {}) =>
    fetchUpload(avatar, { ...bearer(viewer), range, ...extraHeaders })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, null],
    ['bytes=-5', -5, null],
    ['bytes=5-99999999', 5, null],
  ])('[FILE-26] is answered with 206 for %s', async (range, first, last) => {
    const answer = await fetchRange(range)
    const expected = bytes.subarray(first, last === null ? undefined : last + 1)
    const start = first < 0 ? bytes.length + first : first
    const contentRange = `bytes ${start}-${start + expected.length - 1}/${bytes.length}`
    expect(answer.status).toBe(206)
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(expected.length))
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('[FILE-26] is answered with 416 beyond the end, and with the whole file for several ranges', async () => {
    const beyond = await fetchRange(`bytes=${bytes.length}-`)
    expect([beyond.status, await beyond.text()]).toEqual([416, ''])
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    for (const range of ['bytes=0-1,3-4', `bytes=${'0-,'.repeat(1_000)}0-`, 'bytes=9-1', 'x']) {
      const response = await fetchRange(range)
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, bytes.length])
    }
  })

  it('[FILE-26] is answered with the whole file when If-Range has another ETag', async () => {
    const etag = `"${avatar.slice(0, 64)}"`
    expect((await fetchRange('bytes=0-9', { 'if-range': etag })).status).toBe(206)
    expect((await fetchRange('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200)
  })

  it('[FILE-26] is answered without a body for a known ETag and for HEAD', async () => {
    const whole = await fetchUpload(avatar)
    const etag = whole.headers.get('etag') ?? ''
    const known = await fetchUpload(avatar, { ...bearer(viewer), 'if-none-match': `"x", W/${etag}` })
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetchUpload(avatar, { 'if-none-match': etag })).status).toBe(401)
    const head = await fetchUpload(avatar, { ...bearer(viewer), range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(bytes.length),
    ])
    await whole.body?.cancel()
  })
})

describe('an avatar whose file no reachable region has', () => {
  it('[FILE-24] is refused with RegionCut', async () => {
    const stored = await api.region.appContext.files.get(large.slice(0, 64))
    await rm(stored?.path ?? '')
    expect(await summarize(fetchUpload(large))).toEqual({
      status: 503,
      code: 'RegionCut',
      cacheControl: 'private, no-store',
    })
    expect((await fetchUpload(avatar)).status).toBe(200)
  })
})
