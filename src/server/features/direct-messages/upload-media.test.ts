import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ADDRESS_MEDIA_BYTES_LIMIT,
  ADDRESS_MEDIA_LIMIT,
  MEDIA_BYTES_LIMIT,
  UNUSED_MEDIA_MS,
} from '../../../shared/media/limits.ts'
import type { Media } from '../../../shared/media/media.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, MEDIA_TYPE_REFUSED, PICTURE_TOO_LARGE } from '../../../shared/media/rules.ts'
import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { dailyUploadLimits } from '../../kernel/limits/daily-uploads.ts'
import { directMediaCommands } from '../../model/conversations/media-commands.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { createMp4, mediaSamples } from '../../testing/fixtures/test-media.ts'
import { createHugePng, createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { setOwnPrivacy } from '../accounts/users/set-own-privacy.ts'
import { sweepAccounts } from '../accounts/users/sweep-accounts.ts'
import { sweepFiles } from '../media/sweep-files.ts'
import { relationRoutes } from '../relations/routes.ts'
import { purgeDirectMessages } from './delete-conversation.ts'
import { directMessageRoutes } from './routes.ts'

let api: TestApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let root: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
  root = await api.region.createRootAdmin('kök')
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createMember(`can${turn}`)
  deniz = await api.region.createMember(`deniz${turn}`)
  const privacy = { messageImagePrivacy: 'everyone', messageAudioPrivacy: 'everyone' } as const
  for (const user of [can, deniz]) await api.region.appContext.execute(setOwnPrivacy, user, privacy)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })

interface UploadForm {
  media?: Uint8Array
  poster?: Uint8Array
  name?: string
  fields?: Record<string, string>
  key?: string
}

async function upload(user: TestUser, { media, poster, name = 'dosya', fields = {}, key }: UploadForm) {
  const body = new FormData()
  if (media) body.set('media', new Blob([new Uint8Array(media)], { type: 'image/png' }), name)
  if (poster) body.set('poster', new Blob([new Uint8Array(poster)]), name)
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  const headers = { ...as(user), ...(key !== undefined && { 'idempotency-key': key }) }
  const response = await api.send('/api/dm/upload-media', { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // every answer is an object
}

/** Uploads a file that is accepted. */
async function uploaded(user: TestUser, form: UploadForm): Promise<Media> {
  const { status, body } = await upload(user, form)
  expect(body).toMatchObject({ success: true })
  expect(status).toBe(200)
  return body as unknown as Media // the route's schema
}

async function send(from: TestUser, to: TestUser, { mediaId }: Media): Promise<number> {
  const client = await api.region.connectAs(from)
  const answer = await client.request('sendDirectMessage', { recipientUsername: to.username, content: '', mediaId })
  if (!('message' in answer) || typeof answer.message !== 'object') throw new Error(JSON.stringify(answer))
  expect(answer.message.media?.mediaId).toBe(mediaId)
  return answer.message.id
}

/** An upload path as this user gets it: the status, and whether bytes of the file came with it. */
async function fetchStatus(path: string | null, user?: TestUser): Promise<number> {
  const response = await api.send(path ?? '', { headers: user ? as(user) : {} })
  const isRefusal = response.headers.get('content-type')?.startsWith('application/json') === true
  expect(isRefusal).toBe(response.status !== 200)
  await response.arrayBuffer()
  return response.status
}
const fetchAll = (path: string | null, users: TestUser[]) => Promise.all(users.map((user) => fetchStatus(path, user)))

function query<T>(sql: string, ...params: unknown[]): T[] {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const statement = db.prepare(sql)
  const rows = statement.reader ? statement.all(...params) : [statement.run(...params)]
  db.close()
  return rows as T[] // the caller's columns
}
const countMedia = () => query<{ count: number }>('select count(*) as count from directMedia')[0]?.count ?? 0
const hasMedia = ({ mediaId }: Media) => query('select 1 from directMedia where id = ?', mediaId).length === 1

const countFiles = () => query<{ count: number }>('select count(*) as count from file')[0]?.count ?? 0

/** Lets time pass for uploads that no message uses. */
const passDays = (days: number) =>
  query('update directMedia set expiresAt = expiresAt - ? where expiresAt is not null', days * UNUSED_MEDIA_MS)

const remove = (user: TestUser, other: TestUser) =>
  api.post('/api/dm/delete', { targetUsername: other.username }, as(user))

async function runJobs(): Promise<void> {
  const { execute } = api.region.appContext
  await execute(purgeDirectMessages, null, {})
  await execute(directMediaCommands.deleteUnusedMedia, null, {})
}

describe('an uploaded file', () => {
  it('[DM-27] that is a picture is re-encoded upright with a thumbnail and a blur, without metadata', async () => {
    const photo = await sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: '#c33' } })
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'gizli' } })
      .jpeg()
      .toBuffer()
    const media = await uploaded(ada, { media: photo, name: '../../etc/passwd.html', fields: { durationMs: '5' } })
    expect(media).toMatchObject({ mediaType: 'image', durationMs: null, waveform: null, width: 683, height: 2048 })
    for (const [path, width, height] of [
      [media.originalPath, 683, 2048],
      [media.thumbnailPath, 160, 480],
    ] as const) {
      const response = await api.send(path ?? '', { headers: as(ada) })
      expect(response.headers.get('content-type')).toBe('image/webp')
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height })
      expect(bytes.includes('gizli')).toBe(false)
    }
    const blur = Buffer.from(media.blur ?? '', 'base64')
    expect(await sharp(blur).metadata()).toMatchObject({ format: 'webp', height: 16 })
    expect(media.blur?.length).toBeLessThan(1_000)
  })

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('[DM-27] may be %s, and stays small', async (format) => {
    const media = await uploaded(ada, { media: await createPicture(format, 64, 32) })
    expect(media).toMatchObject({ mediaType: 'image', width: 64, height: 32 })
    expect(media.blur?.length).toBeLessThan(1_000)
  })

  it.each([
    ['mp4', 'video', 'video/mp4'],
    ['webmVideo', 'video', 'video/webm'],
    ['webmAudio', 'audio', 'video/webm'],
    ['m4a', 'audio', 'audio/mp4'],
    ['ogg', 'audio', 'audio/ogg'],
    ['mp3', 'audio', 'audio/mpeg'],
    ['wav', 'audio', 'audio/wav'],
  ] as const)('[DM-27] [DM-34] that is %s is stored as it is and served as %s, %s', async (name, mediaType, type) => {
    const bytes = mediaSamples[name]
    const media = await uploaded(ada, { media: bytes, fields: { durationMs: '1500' } })
    expect(media).toMatchObject({ mediaType, thumbnailPath: null, blur: null, durationMs: 1_500 })
    const response = await api.send(media.originalPath, { headers: { ...as(ada), range: 'bytes=4-9' } })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(4, 10))
    expect(response.status).toBe(206)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-range': `bytes 4-9/${bytes.length}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=86400, immutable',
    })
  })

  it('[DM-27] that is a video gets its poster and size, and audio its waveform', async () => {
    const poster = await createPicture('jpeg', 1_280, 720)
    const video = await uploaded(ada, { media: mediaSamples.mp4, poster, fields: { width: '1920', height: '1080' } })
    expect(video).toMatchObject({ mediaType: 'video', width: 1_920, height: 1_080, durationMs: null, waveform: null })
    expect(video.blur).not.toBeNull()
    const thumbnail = await api.send(video.thumbnailPath ?? '', { headers: as(ada) })
    expect(await sharp(await thumbnail.arrayBuffer()).metadata()).toMatchObject({ width: 480, height: 270 })
    const waveform = Array.from({ length: 20 }, (_, index) => index * 5)
    const audio = await uploaded(ada, { media: mediaSamples.ogg, fields: { waveform: JSON.stringify(waveform) } })
    expect(audio).toMatchObject({ mediaType: 'audio', waveform, width: null })
  })

  it('[DM-27] that lies about its type is refused with 415, and stores nothing', async () => {
    const before = countMedia()
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const refused = { code: 'UnsupportedMediaType', message: MEDIA_TYPE_REFUSED }
    for (const [name, media] of [
      ['resim.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['video.mp4', html],
      ['ses.mp3', Buffer.from('#!/bin/sh')],
      ['film.mp4', createMp4('heic', ['vide'])],
    ] as const)
      expect(await upload(ada, { media, name }), name).toMatchObject({ status: 415, body: refused })
    for (const media of [Buffer.concat([Buffer.from('GIF89a/*'), html]), (await createPicture('png')).subarray(0, 60)])
      expect(await upload(ada, { media })).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } })
    expect(await upload(ada, { media: mediaSamples.mp4, poster: html })).toMatchObject({ status: 415 })
    const flood = await upload(ada, { media: createHugePng(50_000, 50_000) })
    expect(flood).toMatchObject({ status: 413, body: { message: PICTURE_TOO_LARGE } })
    expect(countMedia()).toBe(before)
  })

  it('[DM-27] loses what follows a picture', async () => {
    const polyglot = Buffer.concat([await createPicture('png'), Buffer.from('<script>alert(1)</script>')])
    const { originalPath } = await uploaded(ada, { media: polyglot })
    const response = await api.send(originalPath, { headers: as(ada) })
    expect(Buffer.from(await response.arrayBuffer()).includes('script')).toBe(false)
  })

  it('[DM-28] has at most 20 MB beside its poster', async () => {
    const video = (bytes: number) => Buffer.concat([mediaSamples.webmVideo], bytes)
    const poster = await createPicture('png', 500, 400)
    expect(poster.length).toBeGreaterThan(64 * 1024)
    expect(await upload(ada, { media: video(MAX_FILE_BYTES), poster })).toMatchObject({ status: 200 })
    const refused = { status: 413, body: { code: 'TooLarge', message: FILE_TOO_LARGE } }
    expect(await upload(ada, { media: video(MAX_FILE_BYTES + 1) })).toMatchObject(refused)
  })

  it.each([
    ['durationMs', '-1'],
    ['durationMs', '86400001'],
    ['durationMs', '1e3'],
    ['width', '16385'],
    ['height', '0'],
    ['waveform', '[1,2]'],
    ['waveform', `[${Array(20).fill(101)}]`],
    ['waveform', `[${Array(21).fill(1)}]`],
    ['waveform', `[${Array(20).fill('[]')}]`],
  ])('[DM-28] is refused with %s of %s', async (field, value) => {
    const refused = { status: 422, body: { code: 'InvalidInput', path: field } }
    expect(await upload(ada, { media: mediaSamples.ogg, fields: { [field]: value } })).toMatchObject(refused)
  })

  it('[DM-28] is refused without a file, without a session, and as JSON', async () => {
    expect(await upload(ada, {})).toMatchObject({ status: 422 })
    expect(await upload({ ...ada, token: 'a.b.c' }, { media: mediaSamples.ogg })).toMatchObject({ status: 401 })
    expect((await api.post('/api/dm/upload-media', { media: 'x' }, as(ada))).status).toBe(422)
  })
})

describe('an upload that is repeated', () => {
  it('[DM-29] under one key stores one row and gets the same answer, also after the message was sent', async () => {
    const [key, before] = [randomUUID(), countMedia()]
    const form = { media: await createPicture('png', 90, 90), key }
    const answer = await uploaded(ada, form)
    expect(await uploaded(ada, form)).toEqual(answer)
    const { success: _, ...media } = { success: true, ...answer }
    const client = await api.region.connectAs(ada)
    const message = { recipientUsername: can.username, content: '', mediaId: media.mediaId, clientId: key }
    expect(await client.request('sendDirectMessage', message)).toMatchObject({ message: { media } })
    expect(await uploaded(ada, form)).toEqual(answer)
    expect(countMedia()).toBe(before + 1)
  })

  it('[DM-29] with another file or by another user is another upload', async () => {
    const key = randomUUID()
    const media = await uploaded(ada, { media: mediaSamples.ogg, key })
    const reused = { status: 409, body: { code: 'ClientIdReused' } }
    expect(await upload(ada, { media: mediaSamples.wav, key })).toMatchObject(reused)
    expect((await uploaded(can, { media: mediaSamples.ogg, key })).mediaId).not.toBe(media.mediaId)
  })
})

describe('the uploads of ten minutes', () => {
  it('[DM-30] are 200 of an address, whose users take turns, and the next is not decoded', async () => {
    stopClock()
    const { personLimiters, clock, pictures } = api.region.appContext
    expect(ADDRESS_MEDIA_LIMIT).toEqual({ points: 200, perMs: 600_000 })
    const charge = { limit: ADDRESS_MEDIA_LIMIT, key: '127.0.0.1', points: 1 }
    while (personLimiters.consumeAll([charge], clock()) === 0);
    const decode = vi.spyOn(pictures, 'encodeForMessage')
    const media = await createPicture('avif')
    for (const user of [ada, can, deniz])
      expect(await upload(user, { media })).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    expect(decode).not.toHaveBeenCalled()
    api.region.clockOffset.aheadMs += ADDRESS_MEDIA_LIMIT.perMs
    expect((await upload(ada, { media })).status).toBe(200)
  })
})

describe('the bytes of ten minutes', () => {
  it('[DM-30] are 100 MiB of a user and 200 MiB of an address, whose users take turns', async () => {
    stopClock()
    const { personLimiters, clock } = api.region.appContext
    const now = clock()
    const charge = (limit: PersonLimit, key: string | number, points: number) =>
      personLimiters.consumeAll([{ limit, key, points }], now)
    const file = (bytes: number) => Buffer.concat([mediaSamples.webmVideo], bytes)
    const statusOf = async (user: TestUser, bytes: number) => (await upload(user, { media: file(bytes) })).status
    expect([MEDIA_BYTES_LIMIT.points, ADDRESS_MEDIA_BYTES_LIMIT.points]).toEqual([5, 10].map((n) => n * MAX_FILE_BYTES))

    charge(MEDIA_BYTES_LIMIT, ada.userId, MEDIA_BYTES_LIMIT.points - 50_000)
    expect([await statusOf(ada, 40_000), await statusOf(can, 40_000)]).toEqual([200, 200])
    const before = [countMedia(), countFiles()]
    const refused = await upload(ada, { media: file(500_001) })
    expect(refused).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    expect(refused.body.waitMs).toBeLessThan(MEDIA_BYTES_LIMIT.perMs / 100)
    expect([countMedia(), countFiles()]).toEqual(before)

    while (charge(ADDRESS_MEDIA_BYTES_LIMIT, '127.0.0.1', 100_000) === 0);
    for (const user of [can, deniz, ada]) expect(await statusOf(user, 600_002)).toBe(429)
    expect([countMedia(), countFiles()]).toEqual(before)
    // The bytes flow back, and a refused upload took none of its user.
    api.region.clockOffset.aheadMs += MEDIA_BYTES_LIMIT.perMs
    expect(await statusOf(deniz, 600_003)).toBe(200)
  })

  it('[DM-69] are in a day as many as the setting allows a user, and four times as many of an address', async () => {
    stopClock()
    const { personLimiters, clock, config } = api.region.appContext
    const { ofUser, ofAddress } = dailyUploadLimits(config)
    expect([ofUser, ofAddress]).toEqual([1, 4].map((n) => ({ points: n * 1024 ** 3, perMs: 24 * 60 * 60_000 })))
    const take = (limit: PersonLimit, key: string | number) => {
      for (let points = limit.points; points >= 1; points /= 2)
        while (personLimiters.consumeAll([{ limit, key, points }], clock()) === 0);
    }
    // What flows back in 40 seconds.
    const media = Buffer.concat([mediaSamples.webmVideo], 2_000_000)
    const statusOf = async (user: TestUser) => (await upload(user, { media })).status
    const before = [countMedia(), countFiles()]
    take(ofUser, ada.userId)
    expect([await statusOf(ada), [countMedia(), countFiles()]]).toEqual([429, before])
    expect(await statusOf(can)).toBe(200)
    take(ofAddress, '127.0.0.1')
    expect([await statusOf(can), await statusOf(deniz)]).toEqual([429, 429])
    api.region.clockOffset.aheadMs += ofUser.perMs / 100
    expect([await statusOf(ada), await statusOf(can)]).toEqual([200, 200])
  })
})

describe('the file of a message', () => {
  it('[DM-31] is fetched by its owner, and by the recipient once it is sent; by nobody else', async () => {
    const media = await uploaded(ada, { media: mediaSamples.mp4, poster: await createPicture('jpeg', 100 + turn) })
    const paths = [media.originalPath, media.thumbnailPath]
    for (const path of paths) expect(await fetchAll(path, [ada, can, deniz, root])).toEqual([200, 404, 404, 404])
    await send(ada, can, media)
    for (const path of paths) {
      expect(await fetchAll(path, [ada, can, deniz, root])).toEqual([200, 200, 404, 404])
      expect(await fetchStatus(path)).toBe(401)
    }
    for (const path of [
      media.originalPath.replace('.mp4', '.webm'),
      media.originalPath.replace('.mp4', '.webp'),
      media.originalPath.replace('.mp4', ''),
      `${media.originalPath}.mp4`,
      media.originalPath.toUpperCase().replace('/UPLOADS', '/uploads'),
    ])
      expect(await fetchStatus(path, can), path).toBe(404)
  })

  it('[DM-31] of another user cannot be sent on, and with it nobody gets access', async () => {
    const media = await uploaded(ada, { media: await createPicture('png', 50 + turn) })
    const client = await api.region.connectAs(deniz)
    const stolen = { recipientUsername: can.username, content: '', mediaId: media.mediaId }
    expect(await client.request('sendDirectMessage', stolen)).toMatchObject({ code: 'MediaNotFound' })
    expect(await fetchAll(media.originalPath, [deniz, can])).toEqual([404, 404])
  })

  it('[DM-31] is no longer fetched by who deletes the conversation, stays for the other, and after a block', async () => {
    const media = await uploaded(ada, { media: await createPicture('png', 200 + turn) })
    await send(ada, can, media)
    await api.post('/api/users/block', { blockedUsername: ada.username }, as(can))
    expect(await fetchAll(media.originalPath, [ada, can])).toEqual([200, 200])
    await remove(ada, can)
    expect(await fetchAll(media.originalPath, [ada, can])).toEqual([404, 200])
    await remove(can, ada)
    expect(await fetchAll(media.thumbnailPath, [ada, can])).toEqual([404, 404])
  })

  it('[DM-31] is fetched with a session only, and goes with a guest', async () => {
    const guest = await api.region.createGuest(`konuk${turn}`)
    const media = await uploaded(guest, { media: await createPicture('png', 300 + turn) })
    await send(guest, can, media)
    expect(await fetchAll(media.originalPath, [guest, can])).toEqual([200, 200])
    query('update user set lastSeenAt = 0 where id = ?', guest.userId)
    await api.region.appContext.execute(sweepAccounts, null, {})
    expect(await fetchAll(media.originalPath, [guest, can])).toEqual([401, 404])
  })

  it('[DM-31] finds its row by the indexes of both paths', () => {
    const path = 'x.webp'
    const plan = query<{ detail: string }>(
      'explain query plan select id from directMedia where originalPath = +? or thumbnailPath = +?',
      path,
      path,
    )
    expect(plan.map(({ detail }) => detail).join(' ')).toMatch(/directMediaByOriginal .*directMediaByThumbnail /)
  })
})

describe('the file of a reported message', () => {
  it('[DM-32] is fetched by root admins, with those around it and no other, and is kept', async () => {
    const uploads: Media[] = []
    for (const side of [31, 32, 33]) uploads.push(await uploaded(ada, { media: await createPicture('png', side, 40) }))
    const [unsent, around, reported] = uploads as [Media, Media, Media] // three files
    await send(ada, can, around)
    const messageId = await send(ada, can, reported)
    const statuses = (user: TestUser) => Promise.all(uploads.map((media) => fetchStatus(media.originalPath, user)))
    expect(await statuses(root)).toEqual([404, 404, 404])
    const report = { messageId, senderUsername: ada.username, recipientUsername: can.username }
    expect((await api.post('/api/dm/report', report, as(can))).status).toBe(200)
    expect([await statuses(root), await statuses(deniz)]).toEqual([
      [404, 200, 200],
      [404, 404, 404],
    ])
    await remove(ada, can)
    await remove(can, ada)
    await send(deniz, can, await uploaded(deniz, { media: mediaSamples.mp3 }))
    passDays(2)
    await runJobs()
    expect([unsent, around, reported].map(hasMedia)).toEqual([false, false, false])
    await api.region.appContext.execute(sweepFiles, null, { after: 0 })
    const unused = uploads.map(({ originalPath }) => originalPath.slice('/uploads/'.length).split('.')[0])
    const marked = unused.map((hash) => query('select 1 from file where hash = ? and unreferencedSince is null', hash))
    expect(marked.map((rows) => rows.length)).toEqual([0, 1, 1])
    expect([await statuses(root), await statuses(can)]).toEqual([
      [404, 200, 200],
      [404, 404, 404],
    ])
  })
})

describe('the row of a file', () => {
  it('[DM-33] is deleted a day after the upload unless it was sent', async () => {
    const [unsent, sent] = [
      await uploaded(ada, { media: mediaSamples.mp3 }),
      await uploaded(ada, { media: mediaSamples.wav }),
    ]
    await send(ada, can, sent)
    const newest = await uploaded(can, { media: mediaSamples.ogg })
    await runJobs()
    expect([unsent, sent, newest].map(hasMedia)).toEqual([true, true, true])
    passDays(1)
    await runJobs()
    // The newest row stays, so that its id does not come again.
    expect([unsent, sent, newest].map(hasMedia)).toEqual([false, true, true])
    const client = await api.region.connectAs(ada)
    const late = { recipientUsername: can.username, content: '', mediaId: unsent.mediaId }
    expect(await client.request('sendDirectMessage', late)).toMatchObject({ code: 'MediaNotFound' })
    passDays(30)
    await runJobs()
    expect(await fetchAll(sent.originalPath, [ada, can])).toEqual([200, 200])
  })

  it('[DM-33] goes with the last of its messages, and its file with the next sweep', async () => {
    const media = await uploaded(ada, { media: await createPicture('png', 35, 41) })
    await send(ada, can, media)
    await send(ada, deniz, media)
    await remove(ada, can)
    await remove(can, ada)
    await send(can, deniz, await uploaded(can, { media: mediaSamples.mp3 }))
    await runJobs()
    expect(hasMedia(media)).toBe(true)
    expect(await fetchAll(media.originalPath, [ada, can, deniz])).toEqual([200, 404, 200])
    await remove(ada, deniz)
    await remove(deniz, ada)
    await send(deniz, can, await uploaded(deniz, { media: mediaSamples.m4a }))
    await runJobs()
    expect(hasMedia(media)).toBe(false)
    const hash = media.originalPath.slice('/uploads/'.length).split('.')[0]
    const marked = () => query<{ since: number }>('select unreferencedSince as since from file where hash = ?', hash)
    expect(marked()).toEqual([{ since: null }])
    await api.region.appContext.execute(sweepFiles, null, { after: 0 })
    expect(marked()[0]?.since).toBeGreaterThan(0)
  })
})
