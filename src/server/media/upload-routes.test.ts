import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturePath } from '../../shared/media/rules.ts'
import { openTestApi, readSessionCookie, type TestApi } from '../testing/fixtures/test-api.ts'
import { createPicture } from '../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../testing/fixtures/test-region.ts'

let api: TestApi
let owner: TestUser
let viewer: TestUser
/** What /uploads/ calls the owner's face, and its bytes. */
let face: string
let large: string
let bytes: Buffer

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' })
  owner = await api.region.createRootAdmin('sahibi')
  viewer = await api.region.createGuest('bakan')
  ;[face, large] = await setFace(await createPicture('png', 700, 700))
  bytes = Buffer.from(await (await look(face)).arrayBuffer())
})
afterAll(() => api.close())

/** Gives the owner a face, and answers what it is called in both sizes. */
async function setFace(content: Buffer): Promise<[string, string]> {
  const body = new FormData()
  body.set('avatar', new Blob([new Uint8Array(content)]))
  const user = await change(body)
  return [String(user.avatarUrl), String(user.largeAvatarUrl)]
}

async function change(body: FormData): Promise<Record<string, unknown>> {
  const answer = await api.send('/api/users/profile', { method: 'PUT', body, headers: bearer(owner) })
  return ((await answer.json()) as { user: Record<string, unknown> }).user // the route's schema
}

const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const look = (file: string, headers: Record<string, string> = bearer(viewer), method = 'GET') =>
  api.send(`/uploads/${file}`, { headers, method })
const told = async (answer: Promise<Response>) => {
  const response = await answer
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown> // a refusal, or no JSON
  return { status: response.status, code: body.code, kept: response.headers.get('cache-control') }
}
const notThere = { status: 404, code: 'NotFound', kept: 'private, no-store' }

describe('a face', () => {
  it('[FILE-24] [FILE-25] is served to whoever is signed in, as a picture and nothing else', async () => {
    for (const file of [face, large]) {
      const answer = await look(file)
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

  it('[FILE-24] is served by the cookie that a browser sends for it, for as long as the session lives', async () => {
    const body = JSON.stringify({ username: 'çerezli' })
    const headers = { origin: api.origin, 'content-type': 'application/json' }
    const entered = await api.send('/api/users/guest-login', { method: 'POST', body, headers })
    const cookie = readSessionCookie(entered) ?? ''
    const { token } = (await entered.json()) as { token: string }
    expect((await look(face, { cookie })).status).toBe(200)
    await api.post('/api/users/logout', {}, { authorization: `Bearer ${token}` })
    for (const ended of [{ cookie }, { authorization: `Bearer ${token}` }]) {
      expect(await told(look(face, ended))).toMatchObject({ status: 401, kept: 'private, no-store' })
    }
  })

  it('[FILE-24] is not served to strangers, who learn nothing of what there is', async () => {
    for (const file of [face, large, `${'0'.repeat(64)}.webp`, 'x']) {
      expect(await told(look(file, {}))).toEqual({ status: 401, code: 'NotSignedIn', kept: 'private, no-store' })
      expect((await look(file, { authorization: 'Bearer a.b.c' })).status).toBe(401)
    }
  })

  it('[FILE-24] is not there any more once its owner has another one, or none', async () => {
    const before = [face, large]
    ;[face, large] = await setFace(await createPicture('png', 650, 650))
    for (const file of before) expect(await told(look(file))).toEqual(notThere)
    bytes = Buffer.from(await (await look(face)).arrayBuffer())
    const clear = new FormData()
    clear.set('clear', 'avatar')
    await change(clear)
    for (const file of [face, large]) expect(await told(look(file))).toEqual(notThere)
    const back = await createPicture('webp', 660, 660)
    ;[face, large] = await setFace(back)
    bytes = Buffer.from(await (await look(face)).arrayBuffer())
  })

  it('[FILE-24] is all that is there: no other file, whatever it is called', async () => {
    const { files } = api.region.appContext
    const kept = await files.put(Buffer.from('a secret file of somebody'))
    if (!('hash' in kept)) throw new Error('not kept')
    const hash = face.slice(0, 64)
    const names = [
      picturePath(kept.hash),
      kept.hash,
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
    for (const name of names) expect(await told(look(name)), name).toEqual(notThere)
  })

  it.each(['/uploads/../secret', '/uploads/..', '/uploads//etc/passwd', '/uploads/a/b', '/uploads/', '/uploads'])(
    '[FILE-24] gives nothing under %s, sent as it is',
    async (path) => {
      const { hostname, port } = new URL(api.origin)
      const line = connect(Number(port), hostname)
      line.write(
        `GET ${path} HTTP/1.1\r\nhost: meydan\r\nauthorization: Bearer ${viewer.token}\r\nconnection: close\r\n\r\n`,
      )
      let answer = ''
      for await (const chunk of line) answer += chunk
      expect(answer).toMatch(/^HTTP\/1\.1 404/)
    },
  )

  it('[FILE-24] cannot be changed or taken away by its address', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await look(face, bearer(owner), method)).status).toBe(404)
    }
    expect((await look(face)).status).toBe(200)
  })
})

describe('some of a face', () => {
  const ranged = (range: string, more: Record<string, string> = {}) => look(face, { ...bearer(viewer), range, ...more })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, null],
    ['bytes=-5', -5, null],
    ['bytes=5-99999999', 5, null],
  ])('[FILE-26] is answered with 206 for %s', async (range, first, last) => {
    const answer = await ranged(range)
    const expected = bytes.subarray(first, last === null ? undefined : last + 1)
    const start = first < 0 ? bytes.length + first : first
    const place = `bytes ${start}-${start + expected.length - 1}/${bytes.length}`
    expect(answer.status).toBe(206)
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true)
    expect(answer.headers.get('content-range')).toBe(place)
    expect(answer.headers.get('content-length')).toBe(String(expected.length))
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('[FILE-26] ends with 416 beyond the end, and is the whole for several ranges', async () => {
    const beyond = await ranged(`bytes=${bytes.length}-`)
    expect([beyond.status, await beyond.text()]).toEqual([416, ''])
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    for (const range of ['bytes=0-1,3-4', `bytes=${'0-,'.repeat(1_000)}0-`, 'bytes=9-1', 'x']) {
      const whole = await ranged(range)
      expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, bytes.length])
    }
  })

  it('[FILE-26] is the whole where the file is another one than the rest came of', async () => {
    const etag = `"${face.slice(0, 64)}"`
    expect((await ranged('bytes=0-9', { 'if-range': etag })).status).toBe(206)
    expect((await ranged('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200)
  })

  it('[FILE-26] is nothing for a browser that has it, and for HEAD', async () => {
    const whole = await look(face)
    const etag = whole.headers.get('etag') ?? ''
    const known = await look(face, { ...bearer(viewer), 'if-none-match': `"x", W/${etag}` })
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
    expect((await look(face, { 'if-none-match': etag })).status).toBe(401)
    const head = await look(face, { ...bearer(viewer), range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(bytes.length),
    ])
    await whole.body?.cancel()
  })
})

describe('a face whose file is in no region that can be reached', () => {
  it('[FILE-24] is said to be there later', async () => {
    const stored = await api.region.appContext.files.get(large.slice(0, 64))
    await rm(stored?.path ?? '')
    expect(await told(look(large))).toEqual({ status: 503, code: 'RegionCut', kept: 'private, no-store' })
    expect((await look(face)).status).toBe(200)
  })
})
