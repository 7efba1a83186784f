import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADDRESS_MEDIA_LIMIT, UNUSED_MEDIA_MS } from '../../../shared/media/limits.ts'
import type { Media } from '../../../shared/media/media.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, MEDIA_TYPE_REFUSED } from '../../../shared/media/rules.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { dailyUploadLimits } from '../../kernel/limits/daily-uploads.ts'
import { roomMediaCommands } from '../../model/conversations/media-commands.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { mediaSamples } from '../../testing/fixtures/test-media.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { sweepFiles } from '../media/sweep-files.ts'
import { banUser } from '../moderation/ban-user.ts'
import { clearRoomMessages } from '../moderation/clear-room-messages.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'
import { relationRoutes } from '../relations/routes.ts'
import { roomAccessRoutes } from '../room-access/routes.ts'
import { setRoomPreferences } from '../room-access/set-room-preferences.ts'
import { roomChatRoutes } from './feature.ts'

let api: TestApi
let room: OwnedRoom
let side = 40

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_JOIN_WAIT_MS: '0' }, (app, _, { appContext }) => {
    roomChatRoutes(app, appContext)
    relationRoutes(app, appContext)
    roomAccessRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  room = await createOwnedRoom(api.region)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })

interface UploadForm {
  media?: Uint8Array
  roomId?: number | string
  key?: string
}

async function upload(user: TestUser, { media, roomId = room.roomId, key }: UploadForm) {
  const body = new FormData()
  if (media) body.set('media', new Blob([new Uint8Array(media)]), 'dosya')
  body.set('roomId', String(roomId))
  const headers = { ...as(user), ...(key !== undefined && { 'idempotency-key': key }) }
  const response = await api.send('/api/media/upload', { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // every answer is an object
}

/** Uploads a picture that no other test has. */
async function uploaded(user: TestUser, form: UploadForm = {}): Promise<Media> {
  const { status, body } = await upload(user, { media: await createPicture('png', side++, 41), ...form })
  expect([body, status]).toEqual([expect.objectContaining({ success: true }), 200])
  return body as unknown as Media // the route's schema
}

async function enter(user: TestUser, roomId = room.roomId) {
  const client = await api.region.connectAs(user)
  expect(await client.request('joinRoom', { roomId })).toHaveProperty('room')
  return client
}
type Client = Awaited<ReturnType<typeof enter>>

const send = (client: Client, mediaId: number, more: { content?: string; clientId?: string } = {}) =>
  client.request('sendMessage', { roomId: room.roomId, content: '', mediaId, ...more })

/** A message with a picture of its own. */
async function sent(user: TestUser, client?: Client): Promise<Media & { id: number }> {
  const media = await uploaded(user)
  const answer = await send(client ?? (await enter(user)), media.mediaId)
  return { ...media, id: 'id' in answer ? (answer.id ?? 0) : expect.unreachable(JSON.stringify(answer)) }
}

async function fetchStatus(path: string | null, user?: TestUser): Promise<number> {
  const response = await api.send(path ?? '', { headers: user ? as(user) : {} })
  await response.arrayBuffer()
  return response.status
}
const fetchAll = ({ originalPath, thumbnailPath }: Media, users: TestUser[]) =>
  Promise.all(
    users.map(async (user) => {
      const statuses = [await fetchStatus(originalPath, user), await fetchStatus(thumbnailPath, user)]
      return statuses[0] === statuses[1] ? statuses[0] : statuses
    }),
  )

function query<T>(sql: string, ...params: unknown[]): T[] {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const statement = db.prepare(sql)
  const rows = statement.reader ? statement.all(...params) : [statement.run(...params)]
  db.close()
  return rows as T[] // the caller's columns
}
const hasMedia = ({ mediaId }: Media) => query('select 1 from roomMedia where id = ?', mediaId).length === 1
const countMedia = () => query<{ count: number }>('select count(*) as count from roomMedia')[0]?.count

async function runJobs(): Promise<void> {
  await api.region.appContext.execute(deleteRemovedMessages, null, {})
  await api.region.appContext.execute(roomMediaCommands.deleteUnusedMedia, null, {})
}

const setMedia = (mediaPreference: 'everyone' | 'members' | 'premium' | 'admins') =>
  api.region.appContext.execute(setRoomPreferences, room.owner, { roomId: room.roomId, mediaPreference })

describe('a file for a room', () => {
  it('[CHATMEDIA-01] is stored as in direct messages: pictures re-encoded with a blur, video and audio as they are', async () => {
    const picture = await uploaded(room.member, { media: await createPicture('jpeg', 800, 600) })
    expect(picture).toMatchObject({ mediaType: 'image', width: 800, height: 600, blur: expect.any(String) })
    const audio = await uploaded(room.member, { media: mediaSamples.ogg })
    expect(audio).toMatchObject({ mediaType: 'audio', thumbnailPath: null })
    const response = await api.send(audio.originalPath, { headers: as(room.member) })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(mediaSamples.ogg)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/ogg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400, immutable',
    })
  })

  it('[CHATMEDIA-02] of another type or over 20 MB is refused with its text, and stores nothing', async () => {
    const before = countMedia()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const unsupported = { status: 415, body: { message: MEDIA_TYPE_REFUSED } }
    expect(await upload(room.member, { media: svg })).toMatchObject(unsupported)
    const large = Buffer.concat([mediaSamples.webmVideo], MAX_FILE_BYTES + 1)
    expect(await upload(room.member, { media: large })).toMatchObject({
      status: 413,
      body: { message: FILE_TOO_LARGE },
    })
    expect(await upload(room.member, {})).toMatchObject({ status: 422 })
    expect(await upload({ ...room.member, token: 'a.b.c' }, { media: mediaSamples.ogg })).toMatchObject({ status: 401 })
    expect(countMedia()).toBe(before)
  })

  it('[CHATMEDIA-03] is refused before it is stored for a room that the sender may not enter or send files to', async () => {
    const before = countMedia()
    const media = mediaSamples.mp3
    for (const roomId of [999_999, 'x', '1e3', -1])
      expect((await upload(room.member, { media, roomId })).status).toBe(roomId === 999_999 ? 404 : 422)
    await setMedia('members')
    const message = 'Bu odaya yalnızca üyeler dosya gönderebilir.'
    const refused = { status: 403, body: { code: 'RoomWriteRefused', message } }
    expect(await upload(room.guest, { media })).toMatchObject(refused)
    query('update room set isActive = 0 where id = ?', room.roomId)
    expect(await upload(room.owner, { media })).toMatchObject({ status: 404, body: { code: 'RoomNotFound' } })
    expect(countMedia()).toBe(before)
  })

  it('[CHATMEDIA-04] under one key is stored once for its user, and refused with another file', async () => {
    const [key, media] = [randomUUID(), await createPicture('png', 90, 91)]
    const answer = await uploaded(room.member, { media, key })
    expect(await uploaded(room.member, { media, key })).toEqual(answer)
    expect(await upload(room.member, { media: mediaSamples.wav, key })).toMatchObject({
      body: { code: 'ClientIdReused' },
    })
    expect((await uploaded(room.owner, { media, key })).mediaId).not.toBe(answer.mediaId)
  })
})

describe('a message with a file', () => {
  it('[CHATMEDIA-05] needs no text, and reaches the room and its history with the file', async () => {
    const [owner, member] = [await enter(room.owner), await enter(room.member)]
    const media = await uploaded(room.member)
    const { success: _, ...file } = { success: true, ...media }
    expect(await send(member, media.mediaId)).toMatchObject({ success: true, id: expect.any(Number) })
    const message = { content: '', mediaId: media.mediaId, media: file, senderId: room.member.userId }
    expect(await owner.waitForEvent('message')).toMatchObject(message)
    const page = await owner.request('getMessages', { roomId: room.roomId })
    expect(page).toMatchObject({ messages: [message] })
  })

  it('[CHATMEDIA-05] without text and file is ignored, and with an unknown or foreign file refused', async () => {
    const member = await enter(room.member)
    expect(await member.request('sendMessage', { roomId: room.roomId, content: '', mediaId: null })).toEqual({
      success: true,
    })
    expect(await send(member, 999_999)).toMatchObject({ code: 'MediaNotFound' })
    const foreign = await uploaded(room.owner)
    expect(await send(member, foreign.mediaId, { content: 'Benim!' })).toMatchObject({ code: 'MediaNotFound' })
    expect(await fetchAll(foreign, [room.member, room.owner])).toEqual([404, 200])
  })

  it('[CHATMEDIA-05] is sent once under its clientId, whatever file is sent under it again', async () => {
    const member = await enter(room.member)
    const [one, other] = [await uploaded(room.member), await uploaded(room.member)]
    const clientId = randomUUID()
    const answer = await send(member, one.mediaId, { clientId })
    expect(await send(member, one.mediaId, { clientId })).toEqual(answer)
    expect(await send(member, other.mediaId, { clientId })).toEqual(answer)
  })

  it.each([
    ['everyone', []],
    ['members', ['guest']],
    ['premium', ['guest', 'member']],
    ['admins', ['guest', 'member', 'premium']],
  ] as const)(
    '[CHATMEDIA-06] in a room whose files are for %s is refused to %j, whose text is not',
    async (value, refused) => {
      for (const who of ['guest', 'member', 'premium', 'admin', 'owner', 'root'] as const) {
        await setMedia('everyone')
        const [client, media] = [await enter(room[who]), await uploaded(room[who])]
        await setMedia(value)
        const isRefused = refused.some((name) => name === who)
        const verdict = isRefused ? { code: 'RoomWriteRefused' } : { success: true }
        expect(await send(client, media.mediaId), who).toMatchObject(verdict)
        const text = { roomId: room.roomId, content: 'Selam' }
        expect(await client.request('sendMessage', text), who).toMatchObject({ success: true })
        client.disconnect()
      }
    },
  )

  it('[CHATMEDIA-07] counts for the chat limits as any message', async () => {
    const member = await enter(room.member)
    const { mediaId } = await uploaded(room.member)
    for (let count = 0; count < 4; count++) expect(await send(member, mediaId)).toMatchObject({ success: true })
    expect(await send(member, mediaId)).toMatchObject({ code: 'TooManyInARow' })
    const outsider = await api.region.connectAs(room.admin)
    expect(await send(outsider, (await uploaded(room.admin)).mediaId)).toMatchObject({ code: 'NotInRoom' })
  })

  it("[CHATMEDIA-08] is quoted as 'Fotoğraf', 'Video' or 'Ses kaydı', with a text by its text", async () => {
    const [owner, admin] = [await enter(room.owner), await enter(room.admin)]
    const quotes: unknown[] = []
    for (const [media, content] of [
      [await createPicture('png', side++, 42), ''],
      [mediaSamples.mp4, ''],
      [mediaSamples.ogg, ''],
      [mediaSamples.wav, 'Bunu dinle'],
    ] as const) {
      const answer = await send(owner, (await uploaded(room.owner, { media })).mediaId, { content })
      const replyTo = 'id' in answer && answer.id ? { id: answer.id } : expect.unreachable()
      await admin.request('sendMessage', { roomId: room.roomId, content: 'Güzel', replyTo })
      const isReply = ({ replyTo: found }: Record<string, unknown>) => (found as Quote | undefined)?.id === replyTo.id // the schema
      const { replyTo: quote } = await owner.waitForEvent('message', isReply)
      quotes.push((quote as Quote).content) // as above
    }
    expect(quotes).toEqual(['Fotoğraf', 'Video', 'Ses kaydı', 'Bunu dinle'])
    const found = { messages: [{ content: 'Bunu dinle', media: { mediaType: 'audio' } }] }
    const search = () => owner.request('searchMessages', { roomId: room.roomId, text: 'dinle' })
    await expect.poll(search).toMatchObject(found)
  })
})

describe('fetching the file of a room', () => {
  it('[CHATMEDIA-09] is for its owner until it is sent, then for all who may enter the room, and for nobody without a session', async () => {
    const media = await uploaded(room.member)
    const users = [room.member, room.owner, room.admin, room.guest, room.root]
    expect(await fetchAll(media, users)).toEqual([200, 404, 404, 404, 404])
    await send(await enter(room.member), media.mediaId)
    expect(await fetchAll(media, users)).toEqual([200, 200, 200, 200, 200])
    expect(await fetchStatus(media.originalPath)).toBe(401)
    expect(await fetchStatus(media.originalPath.replace('.webp', '.mp4'), room.owner)).toBe(404)
  })

  it('[CHATMEDIA-09] goes on in a full room for whom a lost connection took out, and is for nobody once it has ended', async () => {
    const media = await sent(room.member)
    query('update room set capacity = 1 where id = ?', room.roomId)
    expect(await fetchAll(media, [room.guest, room.owner])).toEqual([200, 200])
    query('update room set isActive = 0 where id = ?', room.roomId)
    expect(await fetchAll(media, [room.member, room.owner, room.root])).toEqual([404, 404, 404])
  })

  it('[CHATMEDIA-03] [CHATMEDIA-09] is not for users who are banned from the room, at once, nor may they upload', async () => {
    const media = await sent(room.owner)
    expect(await fetchAll(media, [room.member, room.guest])).toEqual([200, 200])
    const terms = { username: room.member.username, duration: '1hr', banReason: 'Diğer' }
    expect(await api.post(`/api/rooms/${room.roomId}/ban`, terms, as(room.owner))).toMatchObject({ status: 200 })
    expect(await fetchAll(media, [room.member, room.guest])).toEqual([404, 200])
    const refused = { status: 403, body: { code: 'RoomBanned' } }
    expect(await upload(room.member, { media: mediaSamples.mp3 })).toMatchObject(refused)
    await api.post(`/api/rooms/${room.roomId}/lift-ban/${encodeURIComponent(terms.username)}`, {}, as(room.owner))
    expect(await fetchAll(media, [room.member])).toEqual([200])
  })

  it('[CHATMEDIA-11] ends for all when its sender is banned from the room, whose files elsewhere stay', async () => {
    const elsewhere = await createOwnedRoom(api.region)
    const [media, other] = [await sent(room.member), await uploaded(room.member)]
    const client = await enter(room.member, elsewhere.roomId)
    await client.request('sendMessage', { roomId: elsewhere.roomId, content: '', mediaId: other.mediaId })
    const terms = { username: room.member.username, duration: '1hr', banReason: 'Diğer' }
    await api.post(`/api/rooms/${room.roomId}/ban`, terms, as(room.owner))
    expect(await fetchAll(media, [room.owner, room.member, room.root])).toEqual([404, 404, 404])
    expect(await fetchAll(other, [room.owner, room.member])).toEqual([200, 200])
  })

  it('[CHATMEDIA-03] [CHATMEDIA-09] is not for users without the password of the room, until they give it', async () => {
    const media = await sent(room.owner)
    const password = 'gizli oda'
    const answer = await api.post(`/api/rooms/${room.roomId}/set-password`, { password }, as(room.owner))
    expect(answer).toMatchObject({ status: 200 })
    expect(await fetchAll(media, [room.member, room.guest, room.admin])).toEqual([404, 404, 200])
    const refused = { body: { code: 'RoomPasswordRequired' } }
    expect(await upload(room.member, { media: mediaSamples.mp3 })).toMatchObject(refused)
    await api.post(`/api/rooms/${room.roomId}/check-password`, { password }, as(room.member))
    expect(await fetchAll(media, [room.member, room.guest])).toEqual([200, 404])
  })

  it('[CHATMEDIA-10] is not for who has blocked its sender; a file that others sent too stays theirs', async () => {
    const [member, owner] = [await enter(room.member), await enter(room.owner)]
    const picture = await createPicture('png', side++, 43)
    const media = await uploaded(room.member, { media: picture })
    await send(member, media.mediaId)
    await api.post('/api/users/block', { blockedUsername: room.member.username }, as(room.guest))
    expect(await fetchAll(media, [room.guest, room.admin, room.member])).toEqual([404, 200, 200])
    await send(owner, (await uploaded(room.owner, { media: picture })).mediaId)
    expect(await fetchAll(media, [room.guest])).toEqual([200])
  })

  it('[CHATMEDIA-11] ends at once when the room is cleared, and its row goes with the messages', async () => {
    const member = await enter(room.member)
    const media = await sent(room.member, member)
    const { execute } = api.region.appContext
    await execute(clearRoomMessages, room.root, { roomId: room.roomId })
    expect(await fetchAll(media, [room.member, room.owner, room.root])).toEqual([404, 404, 404])
    // The newest message and the newest upload stay, so that their ids do not come again.
    await sent(room.owner)
    await runJobs()
    expect([hasMedia(media), await fetchAll(media, [room.member])]).toEqual([false, [404]])
    await execute(sweepFiles, null, { after: 0 })
    const hash = media.originalPath.slice('/uploads/'.length).split('.')[0]
    expect(
      query<{ at: number }>('select unreferencedSince as at from file where hash = ?', hash)[0]?.at,
    ).toBeGreaterThan(0)
  })

  it('[CHATMEDIA-11] ends at once when its sender is banned', async () => {
    const media = await sent(room.member)
    await sent(room.owner)
    const ban = { username: room.member.username, duration: '1hr', banReason: 'Diğer' } as const
    await api.region.appContext.execute(banUser, room.root, ban)
    expect(await fetchAll(media, [room.owner, room.root])).toEqual([404, 404])
    await runJobs()
    expect(hasMedia(media)).toBe(false)
  })

  it('[CHATMEDIA-11] ends a day after an upload that was not sent, and a file stays with the last of its messages', async () => {
    const [unsent, twice] = [await uploaded(room.owner), await uploaded(room.owner)]
    const owner = await enter(room.owner)
    for (const content of ['Bir', 'İki']) await send(owner, twice.mediaId, { content })
    await sent(room.member)
    query('delete from message where id = (select min(id) from message where mediaId = ?)', twice.mediaId)
    query('update roomMedia set expiresAt = expiresAt - ? where expiresAt is not null', UNUSED_MEDIA_MS)
    await runJobs()
    expect([hasMedia(unsent), hasMedia(twice)]).toEqual([false, true])
    expect(await send(owner, unsent.mediaId)).toMatchObject({ code: 'MediaNotFound' })
  })

  it('[GHOST-18] of a ghost’s message is served to the ghost and root admins only', async () => {
    const { guest, root, owner, member } = room
    const input = { username: guest.username, userId: guest.userId, duration: 'indefinite' } as const
    const client = await enter(guest)
    const before = await sent(guest, client)
    expect(await api.region.appContext.execute(ghostBanGuest, root, input)).toHaveProperty('ban')
    const hidden = await sent(guest, client)
    expect(await fetchAll(before, [guest, root, owner, member])).toEqual([200, 200, 200, 200])
    expect(await fetchAll(hidden, [guest, root, owner, member])).toEqual([200, 200, 404, 404])
  })

  it('[CHATMEDIA-09] finds its rows by indexes', () => {
    const plan = query<{ detail: string }>(
      'explain query plan select roomId from roomMedia join message on message.mediaId = roomMedia.id where originalPath = +? or thumbnailPath = +?',
      'x.webp',
      'x.webp',
    )
    expect(plan.map(({ detail }) => detail).join(' ')).toMatch(
      /roomMediaByOriginal .*roomMediaByThumbnail .*messageByMedia/,
    )
  })
})

describe('the uploads of rooms', () => {
  it('[CHATMEDIA-12] count with those of direct messages, by user, address and day', async () => {
    stopClock()
    const { personLimiters, clock, config } = api.region.appContext
    const statusOf = async (user: TestUser, media = mediaSamples.webmVideo) => (await upload(user, { media })).status
    const { ofUser } = dailyUploadLimits(config)
    for (let points = ofUser.points; points >= 1; points /= 2)
      while (personLimiters.consumeAll([{ limit: ofUser, key: room.member.userId, points }], clock()) === 0);
    const large = Buffer.concat([mediaSamples.webmVideo], 2_000_000)
    expect([await statusOf(room.member, large), await statusOf(room.owner, large)]).toEqual([429, 200])
    const charge = { limit: ADDRESS_MEDIA_LIMIT, key: '127.0.0.1', points: 1 }
    while (personLimiters.consumeAll([charge], clock()) === 0);
    expect([await statusOf(room.owner), await statusOf(room.admin)]).toEqual([429, 429])
  })
})
