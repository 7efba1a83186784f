import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, MEDIA_TYPE_REFUSED } from '../../../shared/media/rules.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { mediaSamples } from '../../testing/fixtures/test-media.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { resumableUploadRoutes } from '../media/resumable-upload-routes.ts'
import { directMessageRoutes } from './routes.ts'

let api: TestApi
let ada: TestUser
let can: TestUser

beforeAll(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    resumableUploadRoutes(app, appContext)
  })
  ada = await api.region.createMember('ada')
  can = await api.region.createMember('can')
})
afterAll(() => api.close())

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' })

/** The id of an upload with these bytes. */
async function upload(user: TestUser, bytes: Uint8Array, kind = 'file', sentBytes = bytes.length): Promise<string> {
  const headers = { ...as(user), 'upload-length': `${bytes.length}`, 'upload-metadata': `kind ${btoa(kind)}` }
  const path = (await api.send('/api/uploads', { method: 'POST', headers })).headers.get('location') ?? ''
  const part = { ...as(user), 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const body = new Uint8Array(bytes.subarray(0, sentBytes))
  expect((await api.send(path, { method: 'PATCH', headers: part, body })).status).toBe(204)
  return path.split('/').at(-1) ?? ''
}

async function send(user: TestUser, fields: Record<string, string | Uint8Array>, key: string = randomUUID()) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields))
    body.set(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]))
  const headers = { ...as(user), 'idempotency-key': key }
  const response = await api.send('/api/dm/upload-media', { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // every answer is an object
}

const fetchFile = async (path: unknown) =>
  Buffer.from(await (await api.send(String(path), { headers: as(ada) })).arrayBuffer())

describe('a finished upload as the file of a direct message', () => {
  it('[MEDIA-50] is stored as the same bytes in a form would be, with its poster', async () => {
    const video = Buffer.concat([mediaSamples.webmVideo, randomBytes(3 * 1024 * 1024)])
    const poster = await createPicture('jpeg', 640, 360)
    const uploadId = await upload(ada, video)
    const stored = await send(ada, { uploadId, poster, durationMs: '1500' })
    expect(stored).toMatchObject({ status: 200, body: { mediaType: 'video', durationMs: 1_500, width: 640 } })
    expect((await fetchFile(stored.body.originalPath)).equals(video)).toBe(true)
    const inForm = await send(ada, { media: video, poster })
    expect(inForm.body.originalPath).toBe(stored.body.originalPath)
  })

  it('[MEDIA-50] that is a picture is encoded anew, and one that lies is refused by its bytes', async () => {
    const picture = await createPicture('png', 900, 700)
    const stored = await send(ada, { uploadId: await upload(ada, picture) })
    expect(stored).toMatchObject({ status: 200, body: { mediaType: 'image', width: 900, height: 700 } })
    expect(String(stored.body.originalPath)).toMatch(/\.webp$/)
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const refused = { status: 415, body: { message: MEDIA_TYPE_REFUSED } }
    expect(await send(ada, { uploadId: await upload(ada, html) })).toMatchObject(refused)
  })

  it('[MEDIA-50] gives the same answer again when the first was lost', async () => {
    const [uploadId, key] = [await upload(ada, mediaSamples.ogg), randomUUID()]
    const first = await send(ada, { uploadId }, key)
    expect(first.status).toBe(200)
    expect(await send(ada, { uploadId }, key)).toEqual(first)
  })

  it('[MEDIA-50] is refused when it is unfinished, unknown, of another user or larger than a message may have', async () => {
    const missing = { status: 404, body: { code: 'MediaNotFound', path: 'uploadId' } }
    const unfinished = await upload(ada, mediaSamples.ogg, 'file', 20)
    const others = await upload(can, mediaSamples.ogg)
    for (const uploadId of [unfinished, others, '0'.repeat(32)])
      expect(await send(ada, { uploadId })).toMatchObject(missing)
    expect(await send(ada, { uploadId: '../../secret' })).toMatchObject({ status: 422, body: { path: 'uploadId' } })
    const large = await upload(ada, Buffer.concat([mediaSamples.wav], MAX_FILE_BYTES + 1), 'largeFile')
    expect(await send(ada, { uploadId: large })).toMatchObject({ status: 413, body: { message: FILE_TOO_LARGE } })
  })
})
