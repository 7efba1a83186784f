import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { signFileRequest } from '../../kernel/files/request-signature.ts'
import {
  blobPathOf,
  type FileCluster,
  type FileRegion,
  fileHandlePrototype,
  listFiles,
  openFileCluster,
  sha256,
  TEST_FILES_KEY,
} from '../../testing/fixtures/file-cluster.ts'
import { linkFileRoutes } from './link-file-routes.ts'

const content = randomBytes(200_000)
const file = { hash: sha256(content), size: content.length }
const getSignature = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash: file.hash, size: null })
const putSignature = signFileRequest(TEST_FILES_KEY, { method: 'PUT', ...file })
const PATH = `/link/files/${file.hash}`

let site: FileCluster
let region: FileRegion
beforeEach(async () => {
  site = await openFileCluster()
  region = await site.openRegion()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

const send = (path: string, authorization?: string, init: RequestInit = {}) =>
  fetch(`${region.origin}${path}`, { ...init, headers: authorization === undefined ? {} : { authorization } })
const put = (body: Uint8Array<ArrayBuffer>, authorization?: string, path = PATH) =>
  send(path, authorization, { method: 'PUT', body })
const statusAndBody = async (answer: Response) => [answer.status, await answer.text()]
const UNKNOWN_URL_RESPONSE = [404, 'no such page']

describe('file routes of the link', { timeout: 30_000 }, () => {
  it('[FILE-17] serves the bytes as octet-stream with nosniff, a sandbox policy and no-store', async () => {
    await region.store.put(content)
    // The app alone, without the headers that the site adds to every response.
    const answer = await linkFileRoutes(region.store, TEST_FILES_KEY).request(PATH, {
      headers: { authorization: getSignature },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': String(file.size),
      'content-type': 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    const head = await send(PATH, getSignature, { method: 'HEAD' })
    expect([...(await statusAndBody(head)), head.headers.get('content-length')]).toEqual([200, '', String(file.size)])
  })

  it('[FILE-14] answers an unsigned GET like an unknown URL', async () => {
    await region.store.put(content)
    const elsewhere = await send('/nowhere')
    const wrong = [
      undefined,
      '',
      'Meydan-File',
      'Bearer abc',
      putSignature,
      `${getSignature}A`,
      getSignature.toLowerCase(),
    ]
    for (const signature of wrong) {
      const answer = await send(PATH, signature)
      expect(await statusAndBody(answer)).toEqual(UNKNOWN_URL_RESPONSE)
      expect([...answer.headers.keys()]).toEqual([...elsewhere.headers.keys()])
    }
    const absent = 'ab'.repeat(32)
    for (const path of [`/link/files/${absent}`, '/link/files/', '/link/files', '/link']) {
      expect(await statusAndBody(await send(path, getSignature))).toEqual(UNKNOWN_URL_RESPONSE)
    }
    for (const method of ['POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect(await statusAndBody(await send(PATH, getSignature, { method }))).toEqual(UNKNOWN_URL_RESPONSE)
    }
    expect((await send(PATH, undefined, { method: 'HEAD' })).status).toBe(404)
  })

  it('[FILE-14] stores nothing for a PUT without a signature, or with one for another request', async () => {
    const large = { method: 'PUT', hash: file.hash, size: file.size + 1 } as const
    for (const signature of [undefined, getSignature, signFileRequest(TEST_FILES_KEY, large)]) {
      expect(await statusAndBody(await put(content, signature))).toEqual(UNKNOWN_URL_RESPONSE)
    }
    expect(await statusAndBody(await put(content, putSignature, `/link/files/${'ab'.repeat(32)}`))).toEqual(
      UNKNOWN_URL_RESPONSE,
    )
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-14] answers a signed GET of a missing file with an empty 404', async () => {
    expect(await statusAndBody(await send(PATH, getSignature))).toEqual([404, ''])
  })

  it.each([
    '../../../secret',
    '..%2f..%2fsecret',
    '%2e%2e%2fsecret',
    '/etc/passwd',
    file.hash.toUpperCase(),
    `${file.hash}.`,
  ])('[FILE-06] serves no file under the name %s, even if it is signed', async (name) => {
    await region.store.put(content)
    writeFileSync(join(region.folder, '..', 'secret'), 'secret')
    const hash = decodeURIComponent(name)
    const start = `GET /link/files/${name} HTTP/1.1\r\nhost: meydan\r\nconnection: close\r\n`
    const answer = await sendRaw(
      `${start}authorization: ${signFileRequest(TEST_FILES_KEY, { method: 'GET', hash, size: null })}\r\n\r\n`,
    )
    expect(answer).toContain('no such page')
    expect(answer).not.toMatch(/secret|root:/)
  })

  it('[FILE-06] does not serve the target of a symbolic link', async () => {
    await region.store.put(Buffer.from('creates the folder'))
    const secret = join(region.folder, '..', 'secret')
    writeFileSync(secret, 'secret')
    await region.store.put(content)
    const other = { hash: `${file.hash.slice(0, 2)}${'0'.repeat(62)}`, size: 6 }
    symlinkSync(secret, join(region.folder, blobPathOf(other.hash)))
    const signature = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash: other.hash, size: null })
    expect(await statusAndBody(await send(`/link/files/${other.hash}`, signature))).toEqual([404, ''])
  })

  it('[FILE-15] accepts the same bytes with a replayed signature, and refuses others', async () => {
    expect(await statusAndBody(await put(content, putSignature))).toEqual([200, ''])
    expect(await statusAndBody(await put(content, putSignature))).toEqual([200, ''])
    expect((await put(randomBytes(content.length), putSignature)).status).toBe(422)
    expect(listFiles(region.folder)).toEqual([blobPathOf(file.hash)])
  })

  it('[FILE-15] accepts a signature from a clock that is an hour ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60 * 1000 })
    const signature = signFileRequest(TEST_FILES_KEY, { method: 'PUT', ...file })
    vi.useRealTimers()
    expect((await put(content, signature)).status).toBe(200)
  })

  it('[FILE-09] refuses a PUT with 409 unless the region is the primary', async () => {
    for (const leader of [{ is: 'nobody' }, { is: 'other', url: 'http://127.0.0.1:9' }] as const) {
      region.leader = leader
      expect((await put(content, putSignature)).status).toBe(409)
    }
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-16] refuses a body that is too large or has no length, without reading it', async () => {
    const small = await site.openRegion({ maxBytes: 1000 })
    const signature = signFileRequest(TEST_FILES_KEY, { method: 'PUT', hash: file.hash, size: 1001 })
    // The body is never sent; a response shows that the server does not wait for it.
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${signature}\r\n`
    expect(await sendRaw(`${start}content-length: 1001\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 413 /)
    expect(await sendRaw(`${start}transfer-encoding: chunked\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 404 /)
    expect(await sendRaw(`${start}content-length: 99999999999999999999\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(listFiles(small.folder)).toEqual([])
  })

  it('[FILE-16] leaves no file when the sender disconnects', async () => {
    const socket = connect(Number(new URL(region.origin).port), '127.0.0.1')
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${putSignature}\r\ncontent-length: ${file.size}\r\n\r\n`
    socket.write(start)
    socket.write(content.subarray(0, 100_000))
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([expect.stringMatching(/^drafts\//)]), {
      timeout: 20_000,
    })
    socket.destroy()
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([]), { timeout: 20_000 })
    expect((await put(content, putSignature)).status).toBe(200)
  })

  it('[FILE-05] answers 503 on a full disk before the body has ended', async () => {
    vi.spyOn(await fileHandlePrototype(), 'writeFile').mockRejectedValueOnce(
      Object.assign(new Error(), { code: 'ENOSPC' }),
    )
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${putSignature}\r\ncontent-length: ${file.size}\r\n\r\n`
    expect(await sendRaw(`${start}the first of many bytes`)).toMatch(/^HTTP\/1.1 503 /)
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-29] answers 507 on the disk of a primary that is nearly full, and the other region says so', async () => {
    const checkSpace = () => refuse('StorageFull')
    const primary = await site.openRegion({ checkSpace })
    region.leader = { is: 'other', url: primary.origin }
    expect(await region.store.put(content)).toMatchObject({ body: { code: 'StorageFull' } })
    expect(primary.requests).toHaveLength(1)
    expect(listFiles(primary.folder)).toEqual([])
  })

  it('[FILE-16] leaves no file when the sender sends more than announced', async () => {
    const announced = { method: 'PUT', hash: file.hash, size: 1000 } as const
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${signFileRequest(TEST_FILES_KEY, announced)}\r\n`
    const answer = await sendRaw(`${start}content-length: 1000\r\nconnection: close\r\n\r\n${'x'.repeat(3000)}`)
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /)
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([]), { timeout: 20_000 })
  })

  it.skipIf(process.platform !== 'linux')('[FILE-16] closes the file when the receiver aborts', async () => {
    const onWarning = vi.fn()
    process.on('warning', onWarning)
    const large = randomBytes(15_000_000)
    await region.store.put(large)
    const hash = sha256(large)
    const signature = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash, size: null })
    const abortController = new AbortController()
    const answer = await send(`/link/files/${hash}`, signature, { signal: abortController.signal })
    const reader = answer.body?.getReader()
    await reader?.read()
    expect(listOpenFiles(region.folder)).toHaveLength(1)
    abortController.abort()
    await expect(reader?.read()).rejects.toThrow()
    await vi.waitFor(() => expect(listOpenFiles(region.folder)).toEqual([]), { timeout: 20_000 })
    process.off('warning', onWarning)
    // A handle that only the garbage collector closes causes a warning.
    expect(onWarning).not.toHaveBeenCalled()
  })
})

/** Sends raw text and resolves to the whole response once the server closes the connection. */
function sendRaw(text: string, { origin } = region): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

/** The open files of this process below a folder. */
function listOpenFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.startsWith(`${folder}/`) ? [path] : []
    } catch {
      return [] // the descriptor of the directory listing itself
    }
  })
}
