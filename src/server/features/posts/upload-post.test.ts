import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, PICTURE_TOO_LARGE } from '../../../shared/media/rules.ts'
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_VIDEO_BYTES,
  MAX_VIDEO_DURATION_MS,
  POST_LIMIT,
  POST_UPLOAD_LIMIT,
} from '../../../shared/posts/limits.ts'
import type { Post } from '../../../shared/posts/post.ts'
import {
  fileTypeRefusals,
  POST_CREATED_TEXT,
  POST_FILE_MISSING_TEXT,
  PREMIUM_REQUIRED_TEXT,
  VIDEO_TOO_LARGE_TEXT,
  VIDEO_TOO_LONG_TEXT,
  VIDEO_UNREADABLE_TEXT,
} from '../../../shared/posts/texts.ts'
import { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import { type ApiAnswer, openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { mediaSamples } from '../../testing/fixtures/test-media.ts'
import { createHugePng, createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { createVideo, createWebmVideo } from '../../testing/fixtures/test-videos.ts'
import { createPost } from './create-post.ts'

let api: PostsApi
let ada: TestUser
let turn = 0

beforeAll(async () => {
  api = await openPostsApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  ada = await api.createPremium(`ada${++turn}`)
  // Each test has the limits of its own address.
  api.region.appContext.personLimiters = new PersonLimiters(1)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' })
const info = { durationMs: 4_000, width: 1280, height: 720 }

async function post(user: TestUser, fields: Record<string, string | Uint8Array>, key?: string): Promise<ApiAnswer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.set(name, value)
    else body.set(name, new Blob([new Uint8Array(value)]), '../x.png')
  }
  const headers = { ...as(user), ...(key !== undefined && { 'idempotency-key': key }) }
  const response = await api.send('/api/posts', { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // answers are objects
}

/** The post of a form that is accepted. */
async function posted(user: TestUser, fields: Record<string, string | Uint8Array>, key?: string): Promise<Post> {
  const { body } = await post(user, fields, key)
  expect(body).toMatchObject({ success: true, message: POST_CREATED_TEXT })
  return body.post as Post // the route's schema
}

async function fetchBytes(path: string | null, user: TestUser): Promise<Buffer> {
  const response = await api.send(path ?? '', { headers: as(user) })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** The id of an upload with these bytes. */
async function upload(user: TestUser, bytes: Uint8Array): Promise<string> {
  const headers = { ...as(user), 'upload-length': `${bytes.length}`, 'upload-metadata': `kind ${btoa('largeFile')}` }
  const path = (await api.send('/api/uploads', { method: 'POST', headers })).headers.get('location') ?? ''
  const part = { ...as(user), 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  expect((await api.send(path, { method: 'PATCH', headers: part, body: new Uint8Array(bytes) })).status).toBe(204)
  return path.split('/').at(-1) ?? ''
}

const countRows = (table: string) => api.query<{ count: number }>(`select count(*) as count from ${table}`)[0]?.count

describe('who may publish', () => {
  it('[POST-01] premium members and root admins may; others are refused and nothing is stored', async () => {
    const file = await createPicture('jpeg')
    const root = await api.region.createRootAdmin(`kök${turn}`)
    for (const user of [ada, root]) await posted(user, { type: 'photo', file })
    const member = await api.region.createMember(`üye${turn}`)
    const guest = await api.region.createGuest(`konuk${turn}`)
    const before = [countRows('post'), countRows('file')]
    const refused = { status: 403, body: { code: 'Forbidden', message: PREMIUM_REQUIRED_TEXT } }
    expect(await post(member, { type: 'photo', file })).toMatchObject(refused)
    expect(await post(guest, { type: 'photo', file })).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
    expect([countRows('post'), countRows('file')]).toEqual(before)
  })

  it('[POST-01] is decided again when the post is written', async () => {
    const fields = { type: 'photo', path: 'x.webp', mediumPath: null, thumbnailPath: null, sizeBytes: 1 } as const
    const input = { ...fields, width: null, height: null, durationMs: null, blur: null, description: '' }
    api.query('update user set premiumUntil = ? where id = ?', api.region.appContext.clock() - 1, ada.userId)
    const answer = await api.region.appContext.execute(createPost, ada, input)
    expect(answer).toMatchObject({ body: { code: 'Forbidden', message: PREMIUM_REQUIRED_TEXT } })
  })
})

describe('a photo', () => {
  it('[POST-03] is encoded anew upright in three sizes with a blur, without metadata', async () => {
    const file = await sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: '#c33' } })
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'gizli' } })
      .jpeg()
      .toBuffer()
    const photo = await posted(ada, { type: 'photo', file, description: ' Deniz :) ', durationMs: '5' })
    expect(photo).toMatchObject({ type: 'photo', userId: ada.userId, width: 683, height: 2048, durationMs: null })
    expect(photo).toMatchObject({ description: 'Deniz 🙂', likeCount: 0, score: 0, Likes: [], Comments: [] })
    for (const [path, height] of [
      [photo.url, 2048],
      [photo.mediumUrl, 1080],
      [photo.thumbnailUrl, 480],
    ] as const) {
      const bytes = await fetchBytes(path, ada)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', height })
      expect(bytes.includes('gizli')).toBe(false)
    }
    expect(await sharp(Buffer.from(photo.blur ?? '', 'base64')).metadata()).toMatchObject({ height: 16 })
  })

  it.each(['png', 'webp', 'gif', 'avif'] as const)('[POST-02] may be a %s, whatever its name is', async (format) => {
    const photo = await posted(ada, { type: 'photo', file: await createPicture(format) })
    expect(photo.url).toMatch(/^\/uploads\/[0-9a-f]{64}\.webp$/)
  })

  it.each([
    ['a video', () => mediaSamples.mp4],
    ['an audio file', () => mediaSamples.ogg],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['TIFF', () => createPicture('tiff')],
  ])('[POST-02] is refused when it is %s', async (_, create) => {
    const answer = await post(ada, { type: 'photo', file: await create() })
    expect(answer).toMatchObject({ status: 415, body: { message: fileTypeRefusals.photo, path: 'file' } })
  })

  it('[POST-02] is refused without a file, with a cut one, with too many pixels or bytes', async () => {
    const missing = { status: 422, body: { message: POST_FILE_MISSING_TEXT, path: 'file' } }
    expect(await post(ada, { type: 'photo' })).toMatchObject(missing)
    const cut = (await createPicture('png')).subarray(0, 100)
    expect(await post(ada, { type: 'photo', file: cut })).toMatchObject({ status: 415 })
    const flood = createHugePng(40_000, 40_000)
    expect(await post(ada, { type: 'photo', file: flood })).toMatchObject({ body: { message: PICTURE_TOO_LARGE } })
    const large = Buffer.concat([await createPicture('jpeg')], MAX_FILE_BYTES + 1)
    const tooLarge = { status: 413, body: { message: FILE_TOO_LARGE } }
    expect(await post(ada, { type: 'photo', file: large })).toMatchObject(tooLarge)
    expect(await post(ada, { type: 'photo', uploadId: await upload(ada, large) })).toMatchObject(tooLarge)
    expect(await post(ada, { type: 'film', file: cut })).toMatchObject({ status: 422, body: { path: 'type' } })
  })

  it('[POST-05] has a description of at most 1,000 characters', async () => {
    const file = await createPicture('jpeg')
    const longest = 'a'.repeat(MAX_DESCRIPTION_LENGTH)
    expect((await posted(ada, { type: 'photo', file, description: longest })).description).toBe(longest)
    const refused = { status: 422, body: { path: 'description' } }
    expect(await post(ada, { type: 'photo', file, description: `${longest}a` })).toMatchObject(refused)
  })
})

describe('a video', () => {
  it('[POST-04] is stored as it came, with duration and size of its container and a poster that is encoded anew', async () => {
    const poster = await createPicture('jpeg', 1_600, 900)
    const claims = { durationMs: '99000', width: '10', height: '10' }
    for (const file of [createVideo({ ...info, mediaBytes: 5_000 }), createWebmVideo(info)]) {
      const video = await posted(ada, { type: 'video', file, poster, ...claims })
      expect(video).toMatchObject({ type: 'video', ...info })
      expect(video.url).toMatch(/\.(?:mp4|webm)$/)
      expect((await fetchBytes(video.url, ada)).equals(file)).toBe(true)
      expect(await sharp(await fetchBytes(video.mediumUrl, ada)).metadata()).toMatchObject({
        width: 1080,
        format: 'webp',
      })
      expect(await sharp(await fetchBytes(video.thumbnailUrl, ada)).metadata()).toMatchObject({ width: 480 })
      expect(video.blur).not.toBeNull()
    }
  })

  it('[POST-04] that does not say its duration and size has those of the form, or of its poster', async () => {
    const file = mediaSamples.webmVideo
    const fields = { durationMs: '1500', width: '640', height: '360' }
    expect(await posted(ada, { type: 'video', file, ...fields })).toMatchObject({
      durationMs: 1_500,
      width: 640,
      height: 360,
      mediumUrl: null,
      thumbnailUrl: null,
    })
    const poster = await createPicture('jpeg', 320, 180)
    expect(await posted(ada, { type: 'video', file, poster })).toMatchObject({ width: 320, height: 180 })
  })

  it('[POST-04] is refused when it is a picture, too long, or has edges that no film has', async () => {
    const picture = await createPicture('jpeg')
    const wrongType = { status: 415, body: { message: fileTypeRefusals.video } }
    for (const file of [picture, mediaSamples.m4a, mediaSamples.webmAudio])
      expect(await post(ada, { type: 'video', file })).toMatchObject(wrongType)
    const long = createVideo({ ...info, durationMs: MAX_VIDEO_DURATION_MS + 1 })
    expect(await post(ada, { type: 'video', file: long })).toMatchObject({ body: { message: VIDEO_TOO_LONG_TEXT } })
    const wide = createVideo({ ...info, width: 20_000 })
    expect(await post(ada, { type: 'video', file: wide })).toMatchObject({ body: { message: VIDEO_UNREADABLE_TEXT } })
    const poster = Buffer.from('<html>')
    expect(await post(ada, { type: 'video', file: createVideo(info), poster })).toMatchObject({ status: 415 })
  })

  it('[POST-04] of more than 20 MB comes as a finished upload or in its form, and is served by ranges', async () => {
    const file = createVideo({ ...info, mediaBytes: MAX_FILE_BYTES })
    file.set(randomBytes(1_000), 5_000)
    const video = await posted(ada, { type: 'video', uploadId: await upload(ada, file) })
    expect(video).toMatchObject(info)
    const poster = await createPicture('jpeg', 320, 180)
    const inForm = await posted(ada, { type: 'video', file, poster })
    expect(inForm).toMatchObject({ ...info, url: video.url })
    expect(inForm.thumbnailUrl).not.toBeNull()
    const range = await api.send(video.url, { headers: { ...as(ada), range: 'bytes=5000-5999' } })
    expect([range.status, range.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect(Buffer.from(await range.arrayBuffer()).equals(file.subarray(5_000, 6_000))).toBe(true)
  })

  it('[POST-04] of more than 100 MB is refused before its upload', async () => {
    const headers = {
      ...as(ada),
      'upload-length': `${MAX_VIDEO_BYTES + 1}`,
      'upload-metadata': `kind ${btoa('largeFile')}`,
    }
    expect((await api.send('/api/uploads', { method: 'POST', headers })).status).toBe(413)
    expect(VIDEO_TOO_LARGE_TEXT).toContain('100MB')
  })
})

it('[POST-30] a retry under the same key publishes nothing more, and another content is refused', async () => {
  const [file, key] = [await createPicture('jpeg'), randomUUID()]
  const first = await posted(ada, { type: 'photo', file }, key)
  expect(await posted(ada, { type: 'photo', file }, key)).toEqual(first)
  const other = await post(ada, { type: 'photo', file, description: 'başka' }, key)
  expect(other).toMatchObject({ status: 409, body: { code: 'ClientIdReused' } })
  expect(api.query('select * from post where userId = ?', ada.userId)).toHaveLength(1)
})

describe('the limits of posts', () => {
  const tryPost = async (user: TestUser, file: Uint8Array) => (await post(user, { type: 'photo', file })).status

  it('[POST-28] let a user try 20 uploads within ten minutes', async () => {
    stopClock()
    const file = Buffer.from('no picture')
    const statuses: number[] = []
    for (let index = 0; index <= POST_UPLOAD_LIMIT.points; index++) statuses.push(await tryPost(ada, file))
    expect(statuses).toEqual([...Array(POST_UPLOAD_LIMIT.points).fill(415), 429])
  })

  it('[POST-28] let a user publish 30 posts a day', async () => {
    stopClock()
    const file = await createPicture('jpeg', 8, 8)
    let published = 0
    for (let index = 0; index < POST_LIMIT.points + 2; index++) {
      api.region.clockOffset.aheadMs += 20_000
      if ((await tryPost(ada, file)) === 200) published++
    }
    expect(published).toBe(POST_LIMIT.points)
  })
})
