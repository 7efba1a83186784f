// @module-tag deep
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { UploadId } from '../../../shared/media/resumable-uploads.ts'
import { MAX_FILE_BYTES, MAX_LARGE_FILE_BYTES } from '../../../shared/media/rules.ts'
import { route, Text } from '../../../shared/protocol/define.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { sha256 } from '../../testing/fixtures/file-cluster.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { BodyBuffers } from './body-buffers.ts'
import { withRequestFile } from './request-file.ts'

const MB = 1024 * 1024
const PATH = '/api/test/large'
const spec = route({
  description: '',
  method: 'POST',
  path: '/test/large',
  access: 'signedIn',
  limiter: null,
  identityFields: [],
  retry: 'none',
  fileFields: ['file', 'poster'],
  largeFileField: 'file',
  input: v.object({ uploadId: v.optional(UploadId), word: v.optional(Text(8)) }),
  answer: v.object({ hash: v.string(), sizeBytes: v.number(), word: v.nullable(v.string()), poster: v.number() }),
})

let api: TestApi
let folder: string
let ada: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, mount, { appContext }) =>
    mount(app, appContext, spec, (call) =>
      withRequestFile(appContext, call, { field: 'file', maxBytes: MAX_LARGE_FILE_BYTES }, async (file) => {
        if (call.input.word === 'yok') return refuse('Forbidden')
        const stored = await appContext.files.put(file.content(), MAX_LARGE_FILE_BYTES)
        if (stored instanceof Refusal) return stored
        const { word = null } = call.input
        const poster = call.files.get('poster')?.length ?? 0
        return { hash: stored.hash, sizeBytes: file.sizeBytes, word, poster }
      }),
    ),
  )
  folder = join(api.region.appContext.config.dataFolder, 'uploads')
})
afterAll(() => api.close())

/** Sends a form. A refusal before the end of its body can be lost with the reset of the connection: then it is sent again. */
async function post(...form: Parameters<typeof postOnce>): ReturnType<typeof postOnce> {
  for (let attempt = 1; attempt < 3; attempt++) {
    const answer = await postOnce(...form).catch(() => null)
    if (answer) return answer
  }
  return postOnce(...form)
}

async function postOnce(bytes: Uint8Array | null, { word = 'söz', poster = 0, field = 'file', uploadId = '' } = {}) {
  ada = await api.region.createMember(`ada${++turn}`)
  const body = new FormData()
  body.set('word', word)
  if (uploadId) body.set('uploadId', uploadId)
  if (poster) body.set('poster', new Blob([new Uint8Array(poster)]))
  if (bytes) body.set(field, new Blob([new Uint8Array(bytes)]), 'a.mp4')
  const headers = { authorization: `Bearer ${ada.token}` }
  const response = await api.send(PATH, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // every answer is an object
}

describe('a form with a large file', () => {
  it('[MEDIA-56] of 60 MB reaches the handler as a stream, and little of it is in memory', async () => {
    const append = vi.spyOn(BodyBuffers.prototype, 'append')
    const bytes = randomBytes(60 * MB)
    const answer = await post(bytes, { poster: MB })
    const poster = MB
    expect(answer).toEqual({ status: 200, body: { hash: sha256(bytes), sizeBytes: bytes.length, word: 'söz', poster } })
    const inMemory = append.mock.calls.reduce((sum, [, chunk]) => sum + chunk.byteLength, 0)
    expect(inMemory).toBeLessThan(MB + 10_000)
    expect(readdirSync(folder)).toEqual([])
    append.mockRestore()
  })

  it('[MEDIA-56] may be small, beside a large field or not, with the same answer', async () => {
    const bytes = randomBytes(MB)
    const hash = sha256(bytes)
    expect(await post(bytes)).toMatchObject({ status: 200, body: { hash, poster: 0 } })
    expect(await post(bytes, { poster: 5 * MB })).toMatchObject({ status: 200, body: { hash, poster: 5 * MB } })
  })

  it('[MEDIA-56] is refused over 100 MB, with other large fields, without a file, and leaves nothing on the disk', async () => {
    const tooLarge = { status: 413, body: { code: 'TooLarge' } }
    expect(await post(Buffer.alloc(MAX_LARGE_FILE_BYTES + 1))).toMatchObject(tooLarge)
    expect(await post(Buffer.alloc(3 * MB), { poster: 22 * MB })).toMatchObject(tooLarge)
    expect(await post(Buffer.alloc(3 * MB), { field: 'other' })).toMatchObject({ status: 422, body: { path: 'other' } })
    expect(await post(Buffer.alloc(3 * MB), { word: 'yok' })).toMatchObject({ status: 403 })
    expect(await post(null)).toMatchObject({ status: 422, body: { path: 'file' } })
    expect(readdirSync(folder)).toEqual([])
  })

  it('[MEDIA-56] that also names an upload has its own file', async () => {
    const bytes = randomBytes(3 * MB)
    expect(await post(bytes, { uploadId: '0'.repeat(32) })).toMatchObject({
      status: 200,
      body: { hash: sha256(bytes) },
    })
  })

  it('[MEDIA-56] that is cut leaves nothing on the disk', async () => {
    await api.region.createMember('kesik').then((user) => {
      const headers = {
        authorization: `Bearer ${user.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 50 * MB,
      }
      const call = request(api.origin + PATH, { method: 'POST', agent: false, headers })
      call.on('error', () => {})
      call.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
      call.write(Buffer.alloc(4 * MB))
      return expect
        .poll(() => readdirSync(folder).length, { timeout: 20_000 })
        .toBe(2)
        .then(() => call.destroy())
    })
    await expect.poll(() => readdirSync(folder), { timeout: 20_000 }).toEqual([])
  })

  it('[MEDIA-56] of a route without a large file stays within 20 MB', async () => {
    expect(MAX_FILE_BYTES).toBeLessThan(MAX_LARGE_FILE_BYTES)
    const user = await api.region.createMember('küçük')
    const body = new FormData()
    body.set('avatar', new Blob([new Uint8Array(MAX_FILE_BYTES + MB)]))
    const headers = { authorization: `Bearer ${user.token}` }
    const statusOf = () => api.send('/api/users/profile', { method: 'PUT', body, headers }).then(({ status }) => status)
    // An answer can be lost, as above.
    await expect.poll(() => statusOf().catch(() => 'lost')).toBe(413)
  })
})
