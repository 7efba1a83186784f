import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { UPLOAD_LIFETIME_MS, type UploadKind } from '../../../shared/media/resumable-uploads.ts'
import { MAX_FILE_BYTES, MAX_LARGE_FILE_BYTES } from '../../../shared/media/rules.ts'
import { BAN_REASON_NAMES } from '../../../shared/moderation/rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { fileHandlePrototype, sha256 } from '../../testing/fixtures/file-cluster.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { endSession } from '../accounts/sessions/end-session.ts'
import { sweepAccounts } from '../accounts/users/sweep-accounts.ts'
import { banUser } from '../moderation/ban-user.ts'
import { resumableUploadRoutes } from './resumable-upload-routes.ts'

const KIB = 1024
const SIZE = 4 * 1024 * KIB
const content = randomBytes(SIZE)
const TUS = { 'tus-resumable': '1.0.0' }

let api: TestApi
let folder: string
let ada: TestUser
let can: TestUser
let root: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => resumableUploadRoutes(app, appContext))
  folder = join(api.region.appContext.config.dataFolder, 'uploads')
  root = await api.region.createRootAdmin('kök')
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createGuest(`can${turn}`)
})
afterEach(() => vi.restoreAllMocks())

const as = ({ token }: TestUser) => ({ ...TUS, authorization: `Bearer ${token}` })

function create(user: TestUser, sizeBytes: number | string, kind?: UploadKind | string): Promise<Response> {
  const metadata = kind === undefined ? {} : { 'upload-metadata': `name YQ==,kind ${btoa(kind)}` }
  return api.send('/api/uploads', {
    method: 'POST',
    headers: { ...as(user), ...metadata, 'upload-length': `${sizeBytes}` },
  })
}

/** The path of a new upload. */
async function begin(user: TestUser, sizeBytes = SIZE): Promise<string> {
  const response = await create(user, sizeBytes)
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

const head = (user: TestUser, path: string) => api.send(path, { method: 'HEAD', headers: as(user) })
const offsetOf = async (user: TestUser, path: string) => Number((await head(user, path)).headers.get('upload-offset'))

function patch(user: TestUser, path: string, offset: number, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const own = { ...as(user), 'upload-offset': `${offset}`, 'content-type': 'application/offset+octet-stream' }
  return api.send(path, { method: 'PATCH', headers: { ...own, ...headers }, body: new Uint8Array(bytes) })
}

/** A part that is sent by hand; it announces `length` bytes. */
function openPart(user: TestUser, path: string, offset: number, length: number | null): ClientRequest {
  const headers = { ...as(user), 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' }
  const announced = length === null ? {} : { 'content-length': length }
  const part = request(api.origin + path, { method: 'PATCH', agent: false, headers: { ...headers, ...announced } })
  part.on('error', () => {})
  part.flushHeaders()
  return part
}

const closed = (part: ClientRequest) => new Promise((resolve) => part.once('close', resolve))

const fileOf = (path: string) => join(folder, path.split('/').at(-1) ?? '')
const storedBytes = (path: string) => readFileSync(fileOf(path))
const waitForBytes = (path: string, bytes: number) =>
  expect.poll(() => statSync(fileOf(path)).size, { timeout: 20_000 }).toBeGreaterThanOrEqual(bytes)
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
const idOf = (path: string) => path.split('/').at(-1) ?? ''

describe('an upload that goes on', () => {
  it.each([0, 1, 2, 3, 4])('[MEDIA-40] after a cut at quarter %i sends only what lacks', async (quarter) => {
    const cutAt = (SIZE / 4) * quarter
    const path = await begin(ada)
    const part = openPart(ada, path, 0, SIZE)
    await new Promise((resolve) => part.write(content.subarray(0, cutAt), resolve))
    await waitForBytes(path, cutAt - 128 * KIB)
    part.destroy()
    const offset = await offsetOf(ada, path)
    expect(offset).toBeLessThanOrEqual(cutAt)
    expect(offset).toBeGreaterThanOrEqual(cutAt - 128 * KIB)
    const response = await patch(ada, path, offset, content.subarray(offset))
    expect([response.status, response.headers.get('upload-offset')]).toEqual([204, `${SIZE}`])
    expect(sha256(storedBytes(path))).toBe(sha256(content))
  })

  it('[MEDIA-40] says its length, offset and end, and the server what it speaks', async () => {
    const path = await begin(ada, 10)
    await patch(ada, path, 0, content.subarray(0, 4))
    const answer = await head(ada, path)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...TUS,
      'upload-offset': '4',
      'upload-length': '10',
      'cache-control': 'private, no-store',
    })
    const expires = Date.parse(answer.headers.get('upload-expires') ?? '')
    expect(Math.abs(expires - api.region.appContext.clock() - UPLOAD_LIFETIME_MS)).toBeLessThan(60_000)
    const options = await api.send('/api/uploads', { method: 'OPTIONS' })
    expect(Object.fromEntries(options.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,termination',
      'tus-max-size': `${MAX_LARGE_FILE_BYTES}`,
    })
    const old = await api.send(path, { method: 'HEAD', headers: { ...as(ada), 'tus-resumable': '0.2.2' } })
    expect([old.status, old.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  it('[MEDIA-40] takes a part in chunks of one byte', async () => {
    const path = await begin(ada, 3_000)
    const part = openPart(ada, path, 0, null)
    for (let at = 0; at < 3_000; at++) part.write(content.subarray(at, at + 1))
    part.end()
    const [response] = await once(part, 'response')
    expect(response.statusCode).toBe(204)
    expect(storedBytes(path)).toEqual(content.subarray(0, 3_000))
  })

  it('[MEDIA-41] refuses a part from elsewhere with 409, and keeps the stored bytes', async () => {
    const path = await begin(ada, 1_000)
    await patch(ada, path, 0, content.subarray(0, 400))
    for (const offset of [0, 399, 401, 500]) {
      const response = await patch(ada, path, offset, content.subarray(offset, offset + 100))
      expect([response.status, await codeOf(response)]).toEqual([409, 'UploadOffsetWrong'])
    }
    for (const [headers, status] of [
      [{ 'upload-offset': '-1' }, 422],
      [{ 'upload-offset': '4e2' }, 422],
      [{ 'content-type': 'application/octet-stream' }, 415],
    ] as const)
      expect((await patch(ada, path, 400, content.subarray(0, 10), headers)).status).toBe(status)
    expect(storedBytes(path)).toEqual(content.subarray(0, 400))
  })

  it('[MEDIA-41] refuses a part that is longer than what lacks, announced or not', async () => {
    const path = await begin(ada, 1_000)
    expect((await patch(ada, path, 0, content.subarray(0, 1_001))).status).toBe(413)
    const lying = openPart(ada, path, 0, null)
    lying.end(content.subarray(0, 200 * KIB))
    const [response] = await once(lying, 'response')
    expect(response.statusCode).toBe(413)
    expect(await offsetOf(ada, path)).toBeLessThanOrEqual(1_000)
    expect(statSync(fileOf(path)).size).toBeLessThanOrEqual(1_000)
  })

  it('[MEDIA-44] from another connection cuts the part that still arrives, and stores each byte once', async () => {
    const path = await begin(ada)
    const first = openPart(ada, path, 0, SIZE)
    const firstEnded = closed(first)
    const onFirstAnswer = vi.fn()
    first.on('response', onFirstAnswer)
    first.write(content.subarray(0, 512 * KIB))
    await waitForBytes(path, 300 * KIB)
    // It knows the same offset as the first.
    const second = await patch(ada, path, 0, content)
    await firstEnded
    expect(second.status).toBe(409)
    expect(onFirstAnswer).not.toHaveBeenCalled()
    const offset = await offsetOf(ada, path)
    expect(offset).toBeGreaterThanOrEqual(300 * KIB)
    expect((await patch(ada, path, offset, content.subarray(offset))).status).toBe(204)
    expect(sha256(storedBytes(path))).toBe(sha256(content))
  })

  it('[MEDIA-45] keeps what has arrived when a part stalls, and others are not disturbed', async () => {
    const path = await begin(ada, SIZE)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const slow = openPart(ada, path, 0, SIZE)
      const answered = once(slow, 'response')
      slow.write(content.subarray(0, 512 * KIB))
      await waitForBytes(path, 400 * KIB)
      const other = await begin(can, 1_000)
      expect((await patch(can, other, 0, content.subarray(0, 1_000))).status).toBe(204)
      vi.advanceTimersByTime(80_000)
      slow.write('c')
      const [response] = await answered
      expect(response.statusCode).toBe(503)
      expect(await offsetOf(ada, path)).toBeGreaterThanOrEqual(400 * KIB)
      slow.destroy()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the owner of an upload', () => {
  it('[MEDIA-42] alone finds it', async () => {
    const path = await begin(ada, 100)
    for (const user of [can, root]) {
      expect((await head(user, path)).status).toBe(404)
      expect((await patch(user, path, 0, content.subarray(0, 100))).status).toBe(404)
      expect((await api.send(path, { method: 'DELETE', headers: as(user) })).status).toBe(404)
    }
    const nobody = { ...can, token: 'a.b.c' }
    expect((await head(nobody, path)).status).toBe(401)
    expect((await create(nobody, 100)).status).toBe(401)
    const foreign = { headers: { ...as(ada), origin: 'https://evil.example' }, method: 'DELETE' }
    expect((await api.send(path, foreign)).status).toBe(403)
    expect(await offsetOf(ada, path)).toBe(0)
    for (const name of ['0'.repeat(32), '..%2Fsecret', `${idOf(path)}.json`])
      expect((await head(ada, `/api/uploads/${name}`)).status).toBe(404)
  })

  it('[MEDIA-42] deletes it, also while it arrives', async () => {
    const path = await begin(ada)
    const part = openPart(ada, path, 0, SIZE)
    const ended = closed(part)
    part.write(content.subarray(0, 512 * KIB))
    await waitForBytes(path, 300 * KIB)
    expect((await api.send(path, { method: 'DELETE', headers: as(ada) })).status).toBe(204)
    await ended
    expect((await head(ada, path)).status).toBe(404)
    expect(readdirSync(folder).filter((name) => name.startsWith(idOf(path)))).toEqual([])
  })
})

describe('the bounds of uploads', () => {
  it('[MEDIA-43] are 20 MB, and 100 MB for a large file', async () => {
    const statuses = async (sizeBytes: number | string, kind?: string) => (await create(ada, sizeBytes, kind)).status
    expect(await statuses(MAX_FILE_BYTES)).toBe(201)
    expect(await statuses(MAX_FILE_BYTES + 1)).toBe(413)
    expect(await statuses(MAX_FILE_BYTES + 1, 'file')).toBe(413)
    expect(await statuses(MAX_LARGE_FILE_BYTES, 'largeFile')).toBe(201)
    expect(await statuses(MAX_LARGE_FILE_BYTES + 1, 'largeFile')).toBe(413)
    for (const length of ['0', '-5', '1e3', '', '9'.repeat(30)]) expect(await statuses(length)).toBe(422)
    for (const kind of ['toString', '__proto__', 'x'.repeat(2_000)]) expect(await statuses(5, kind)).toBe(422)
  })

  it('[MEDIA-49] a full disk is said, and leaves nothing behind', async () => {
    const path = await begin(ada, 200 * KIB)
    const handle = await fileHandlePrototype()
    vi.spyOn(handle, 'write').mockRejectedValue(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
    const response = await patch(ada, path, 0, content.subarray(0, 200 * KIB))
    expect([response.status, (await response.json()) as object]).toMatchObject([
      503,
      { code: 'Busy', message: 'Sunucuda bu dosyaya yer kalmadı. Lütfen daha sonra tekrar dene.' },
    ])
    expect(readdirSync(folder).filter((name) => name.startsWith(idOf(path)))).toEqual([])
    expect((await head(ada, path)).status).toBe(404)
  })

  it('[MEDIA-55] a user begins 100 in ten minutes', async () => {
    const { appContext } = api.region
    vi.spyOn(appContext, 'clock').mockReturnValue(appContext.clock())
    const statuses: number[] = []
    for (let turns = 0; turns < 101; turns++) {
      const response = await create(can, 1)
      statuses.push(response.status)
      if (response.ok) await api.send(response.headers.get('location') ?? '', { method: 'DELETE', headers: as(can) })
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect(statuses.at(-1)).toBe(429)
    expect((await create(ada, 1)).status).toBe(201)
  })

  it('[MEDIA-81] a user begins four times the bytes in a day that they may store, kept or not', async () => {
    const statuses: number[] = []
    for (let turns = 0; turns < 42; turns++) {
      const response = await create(can, MAX_LARGE_FILE_BYTES, 'largeFile')
      statuses.push(response.status)
      if (response.ok) await api.send(response.headers.get('location') ?? '', { method: 'DELETE', headers: as(can) })
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(40)
    expect(statuses.at(-1)).toBe(429)
    expect((await create(ada, MAX_LARGE_FILE_BYTES, 'largeFile')).status).toBe(201)
  })
})

describe('an upload ends', () => {
  const hasFiles = (path: string) => existsSync(fileOf(path)) || existsSync(`${fileOf(path)}.json`)

  it('[MEDIA-46] after a day', async () => {
    const path = await begin(ada, 100)
    api.region.clockOffset.aheadMs += UPLOAD_LIFETIME_MS - 60_000
    await api.region.appContext.uploads.sweep(() => true)
    expect(hasFiles(path)).toBe(true)
    api.region.clockOffset.aheadMs += 120_000
    expect(api.region.appContext.uploads.find(idOf(path), ada.userId)).toBeNull()
    await api.region.appContext.uploads.sweep(() => true)
    expect(hasFiles(path)).toBe(false)
  })

  it('[MEDIA-46] with its guest', async () => {
    const guest = await api.region.createGuest('giden')
    const path = await begin(guest, 100)
    const db = openForWriting(api.region.appContext.config.databaseFile)
    db.prepare('update user set lastSeenAt = 0 where id = ?').run(guest.userId)
    db.close()
    await api.region.appContext.execute(sweepAccounts, null, {})
    await expect.poll(() => hasFiles(path)).toBe(false)
  })

  it('[MEDIA-46] with its session, by sign-out or a ban, and no other does', async () => {
    const { execute } = api.region.appContext
    const deniz = await api.region.createMember('deniz')
    const [signedOut, banned, others] = [await begin(ada, 100), await begin(can, 100), await begin(deniz, 100)]
    await execute(endSession, ada, {})
    await expect.poll(() => hasFiles(signedOut)).toBe(false)
    expect(hasFiles(banned)).toBe(true)
    const ban = { username: can.username, duration: '1hr', banReason: BAN_REASON_NAMES[0] } as const
    await execute(banUser, root, ban)
    await expect.poll(() => hasFiles(banned)).toBe(false)
    expect(hasFiles(others)).toBe(true)
    expect(await offsetOf(deniz, others)).toBe(0)
  })
})
