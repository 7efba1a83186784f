import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  blobPathOf,
  type FileCluster,
  type FileRegion,
  fileHandlePrototype,
  listFiles,
  openFileCluster,
  sha256,
  TEST_FILES_KEY,
} from '../testing/fixtures/file-cluster.ts'
import { linkFileRoutes } from './link-file-routes.ts'
import { signFileRequest } from './request-signature.ts'

const content = randomBytes(200_000)
const file = { hash: sha256(content), size: content.length }
const getTicket = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash: file.hash, size: null })
const putTicket = signFileRequest(TEST_FILES_KEY, { method: 'PUT', ...file })
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

const ask = (path: string, authorization?: string, init: RequestInit = {}) =>
  fetch(`${region.origin}${path}`, { ...init, headers: authorization === undefined ? {} : { authorization } })
const put = (body: Uint8Array<ArrayBuffer>, authorization?: string, path = PATH) =>
  ask(path, authorization, { method: 'PUT', body })
const told = async (answer: Response) => [answer.status, await answer.text()]
const NO_SUCH_PAGE = [404, 'no such page']

describe('handing files over', { timeout: 30_000 }, () => {
  it('[FILE-17] gives the bytes as they are, of no type, not to be kept, not to be run', async () => {
    await region.store.put(content)
    // By itself, without the headers that the site gives every answer.
    const answer = await linkFileRoutes(region.store, TEST_FILES_KEY).request(PATH, {
      headers: { authorization: getTicket },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': String(file.size),
      'content-type': 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    const head = await ask(PATH, getTicket, { method: 'HEAD' })
    expect([...(await told(head)), head.headers.get('content-length')]).toEqual([200, '', String(file.size)])
  })

  it('[FILE-14] answers whoever shows no ticket as at an address that is not there', async () => {
    await region.store.put(content)
    const elsewhere = await ask('/nowhere')
    const wrong = [undefined, '', 'Meydan-File', 'Bearer abc', putTicket, `${getTicket}A`, getTicket.toLowerCase()]
    for (const ticket of wrong) {
      const answer = await ask(PATH, ticket)
      expect(await told(answer)).toEqual(NO_SUCH_PAGE)
      expect([...answer.headers.keys()]).toEqual([...elsewhere.headers.keys()])
    }
    const absent = 'ab'.repeat(32)
    for (const path of [`/link/files/${absent}`, '/link/files/', '/link/files', '/link']) {
      expect(await told(await ask(path, getTicket))).toEqual(NO_SUCH_PAGE)
    }
    for (const method of ['POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect(await told(await ask(PATH, getTicket, { method }))).toEqual(NO_SUCH_PAGE)
    }
    expect((await ask(PATH, undefined, { method: 'HEAD' })).status).toBe(404)
  })

  it('[FILE-14] takes nothing from whoever shows no ticket, or one for something else', async () => {
    const large = { method: 'PUT', hash: file.hash, size: file.size + 1 } as const
    for (const ticket of [undefined, getTicket, signFileRequest(TEST_FILES_KEY, large)]) {
      expect(await told(await put(content, ticket))).toEqual(NO_SUCH_PAGE)
    }
    expect(await told(await put(content, putTicket, `/link/files/${'ab'.repeat(32)}`))).toEqual(NO_SUCH_PAGE)
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-14] has another 404, without a page, for a region that asks for what is not here', async () => {
    expect(await told(await ask(PATH, getTicket))).toEqual([404, ''])
  })

  it.each([
    '../../../secret',
    '..%2f..%2fsecret',
    '%2e%2e%2fsecret',
    '/etc/passwd',
    file.hash.toUpperCase(),
    `${file.hash}.`,
  ])('[FILE-06] gives nothing under the name %s, even with a ticket for it', async (name) => {
    await region.store.put(content)
    writeFileSync(join(region.folder, '..', 'secret'), 'secret')
    const hash = decodeURIComponent(name)
    const line = `GET /link/files/${name} HTTP/1.1\r\nhost: meydan\r\nconnection: close\r\n`
    const answer = await converse(
      `${line}authorization: ${signFileRequest(TEST_FILES_KEY, { method: 'GET', hash, size: null })}\r\n\r\n`,
    )
    expect(answer).toContain('no such page')
    expect(answer).not.toMatch(/secret|root:/)
  })

  it('[FILE-06] gives nothing that a link leads to', async () => {
    await region.store.put(Buffer.from('to make the folder'))
    const secret = join(region.folder, '..', 'secret')
    writeFileSync(secret, 'secret')
    await region.store.put(content)
    const other = { hash: `${file.hash.slice(0, 2)}${'0'.repeat(62)}`, size: 6 }
    symlinkSync(secret, join(region.folder, blobPathOf(other.hash)))
    const ticket = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash: other.hash, size: null })
    expect(await told(await ask(`/link/files/${other.hash}`, ticket))).toEqual([404, ''])
  })

  it('[FILE-15] lets a ticket that is shown again bring the same bytes, and no others', async () => {
    expect(await told(await put(content, putTicket))).toEqual([200, ''])
    expect(await told(await put(content, putTicket))).toEqual([200, ''])
    expect((await put(randomBytes(content.length), putTicket)).status).toBe(422)
    expect(listFiles(region.folder)).toEqual([blobPathOf(file.hash)])
  })

  it('[FILE-15] holds with clocks that are an hour apart', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60 * 1000 })
    const ticket = signFileRequest(TEST_FILES_KEY, { method: 'PUT', ...file })
    vi.useRealTimers()
    expect((await put(content, ticket)).status).toBe(200)
  })

  it('[FILE-09] takes nothing while it is not the primary', async () => {
    for (const leader of [{ is: 'nobody' }, { is: 'other', url: 'http://127.0.0.1:9' }] as const) {
      region.leader = leader
      expect((await put(content, putTicket)).status).toBe(409)
    }
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-16] refuses what is announced as too large, or with no length, without reading it', async () => {
    const small = await site.openRegion({ maxBytes: 1000 })
    const ticket = signFileRequest(TEST_FILES_KEY, { method: 'PUT', hash: file.hash, size: 1001 })
    // The body never comes: an answer shows that nobody waited for it.
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${ticket}\r\n`
    expect(await converse(`${start}content-length: 1001\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 413 /)
    expect(await converse(`${start}transfer-encoding: chunked\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 404 /)
    expect(await converse(`${start}content-length: 99999999999999999999\r\n\r\n`, small)).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(listFiles(small.folder)).toEqual([])
  })

  it('[FILE-16] keeps nothing of a sender that breaks off', async () => {
    const socket = connect(Number(new URL(region.origin).port), '127.0.0.1')
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${putTicket}\r\ncontent-length: ${file.size}\r\n\r\n`
    socket.write(start)
    socket.write(content.subarray(0, 100_000))
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([expect.stringMatching(/^drafts\//)]), {
      timeout: 20_000,
    })
    socket.destroy()
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([]), { timeout: 20_000 })
    expect((await put(content, putTicket)).status).toBe(200)
  })

  it('[FILE-05] says that there is no room while the bytes are still coming', async () => {
    vi.spyOn(await fileHandlePrototype(), 'writeFile').mockRejectedValueOnce(
      Object.assign(new Error(), { code: 'ENOSPC' }),
    )
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${putTicket}\r\ncontent-length: ${file.size}\r\n\r\n`
    expect(await converse(`${start}the first of many bytes`)).toMatch(/^HTTP\/1.1 503 /)
    expect(listFiles(region.folder)).toEqual([])
  })

  it('[FILE-16] keeps nothing of a sender that sends more than it announced', async () => {
    const announced = { method: 'PUT', hash: file.hash, size: 1000 } as const
    const start = `PUT ${PATH} HTTP/1.1\r\nhost: meydan\r\nauthorization: ${signFileRequest(TEST_FILES_KEY, announced)}\r\n`
    const answer = await converse(`${start}content-length: 1000\r\nconnection: close\r\n\r\n${'x'.repeat(3000)}`)
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /)
    await vi.waitFor(() => expect(listFiles(region.folder)).toEqual([]), { timeout: 20_000 })
  })

  it.skipIf(process.platform !== 'linux')(
    '[FILE-16] closes a file that whoever fetches it does not read to its end',
    async () => {
      const warned = vi.fn()
      process.on('warning', warned)
      const large = randomBytes(15_000_000)
      await region.store.put(large)
      const hash = sha256(large)
      const ticket = signFileRequest(TEST_FILES_KEY, { method: 'GET', hash, size: null })
      const broken = new AbortController()
      const answer = await ask(`/link/files/${hash}`, ticket, { signal: broken.signal })
      const reader = answer.body?.getReader()
      await reader?.read()
      expect(openIn(region.folder)).toHaveLength(1)
      broken.abort()
      await expect(reader?.read()).rejects.toThrow()
      await vi.waitFor(() => expect(openIn(region.folder)).toEqual([]), { timeout: 20_000 })
      process.off('warning', warned)
      // What is left to the garbage collector is closed in the end, with a warning.
      expect(warned).not.toHaveBeenCalled()
    },
  )
})

/** Writes raw bytes and answers all that comes back until the server ends the connection. */
function converse(text: string, { origin } = region): Promise<string> {
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

/** The files below a folder that this process holds open. */
function openIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.startsWith(`${folder}/`) ? [path] : []
    } catch {
      return [] // the one that listed them
    }
  })
}
