import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_POPUP_LENGTH } from '../../../shared/site-status/limits.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { announcementRoutes } from './routes.ts'

let api: TestApi
let room: OwnedRoom
beforeEach(async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000' }
  api = await openTestApi(env, (app, _, site) => announcementRoutes(app, site.appContext))
  room = await createOwnedRoom(api.region)
})
afterEach(() => api.close())

const send = (user: TestUser, message: string, roomId = room.roomId) =>
  api.post('/api/rooms/send-popup', { roomId, message }, { authorization: `Bearer ${user.token}` })
/** As if the last popup had been sent a minute earlier. */
const passMinute = () => runSql(api.region, 'update roomPopup set sentAt = sentAt - 60000')

async function sendForm(user: TestUser, bytes: Uint8Array, message = '') {
  const form = new FormData()
  form.set('roomId', String(room.roomId))
  form.set('message', message)
  form.set('image', new Blob([new Uint8Array(bytes)]))
  const headers = { origin: api.origin, authorization: `Bearer ${user.token}` }
  const response = await api.send('/api/rooms/send-popup', { method: 'POST', headers, body: form })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}

const picture = (background = '#336699') =>
  sharp({ create: { width: 1600, height: 800, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'gizli' } })
    .png()
    .toBuffer()

describe('a popup to a room', () => {
  it('[MANAGE-09] is sent by its staff and reaches the users in the room only', async () => {
    const [member, guest] = [
      await api.region.connectAs(room.member, room.roomId),
      await api.region.connectAs(room.guest, room.roomId),
    ]
    const outside = await api.region.connectAs(room.premium, 1)
    const absentOwner = await api.region.connectAs(room.owner, 2)
    for (const [index, user] of [room.owner, room.admin, room.root].entries()) {
      expect((await send(user, `<b>Duyuru ${index}</b>`)).body).toEqual({ success: true })
      const popup = {
        message: `<b>Duyuru ${index}</b>`,
        roomId: room.roomId,
        senderId: user.userId,
        senderUsername: user.username,
        senderAvatarUrl: null,
        senderGender: null,
        imagePath: null,
      }
      for (const client of [member, guest])
        expect(await client.waitForEvent('popupNotification', ({ senderId }) => senderId === user.userId)).toEqual(
          popup,
        )
      passMinute()
    }
    await outside.request('getRooms', {})
    await absentOwner.request('getRooms', {})
    expect([outside, absentOwner].map((client) => client.countEvents('popupNotification'))).toEqual([0, 0])
  })

  it('[MANAGE-09] is refused from others, to other rooms, and without content', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    for (const user of [room.member, room.premium, room.guest])
      expect((await send(user, 'x')).body).toMatchObject({ code: 'Forbidden' })
    expect((await send(room.owner, 'x', 1)).body).toMatchObject({ code: 'Forbidden' })
    expect((await send(room.owner, 'x', 999)).body).toMatchObject({ code: 'RoomNotFound' })
    for (const message of ['', '   ', '<script>x</script>', 'x'.repeat(MAX_POPUP_LENGTH + 1)])
      expect((await send(room.owner, message)).body).toMatchObject({ code: 'InvalidInput' })
    expect(inRoom.countEvents('popupNotification')).toBe(0)
  })

  it.each([
    ['<script>alert(1)</script>merhaba', 'merhaba'],
    ['<b onclick="alert(1)" style="position:fixed">kalın</b>', '<b>kalın</b>'],
    ['<a href="javascript:alert(1)">bağ</a>', '<a>bağ</a>'],
    ['<img src=x onerror=alert(1)>a', 'a'],
    ['<svg/onload=alert(1)><p>söz', '<p>söz</p>'],
  ])('[MANAGE-09] is sanitised: %j becomes %j', async (message, sanitised) => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    await send(room.owner, message)
    expect((await inRoom.waitForEvent('popupNotification')).message).toBe(sanitised)
  })

  it('[MANAGE-09] has a picture that is re-encoded, and fetched by users who may enter the room, until the next', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    expect(await sendForm(room.admin, await picture())).toEqual({ success: true })
    const { imagePath } = await inRoom.waitForEvent('popupNotification')
    expect(imagePath).toMatch(/^\/uploads\/[0-9a-f]{64}\.webp$/)
    const fetchAs = ({ token }: TestUser) =>
      api.send(String(imagePath), { headers: { authorization: `Bearer ${token}` } })
    const file = await fetchAs(room.guest)
    const { width, format, exif } = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
    expect([width, format, exif]).toEqual([1280, 'webp', undefined])
    expect((await api.send(String(imagePath))).status).toBe(401)
    passMinute()
    expect((await send(room.owner, 'Sonraki')).status).toBe(200)
    expect((await fetchAs(room.member)).status).toBe(404)
    passMinute()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    expect(await sendForm(room.owner, svg)).toMatchObject({ code: 'UnsupportedMediaType' })
  })

  it('[MANAGE-10] is one a minute, from all of the staff together', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    const both = await Promise.all([send(room.owner, 'Bir'), send(room.admin, 'İki')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
    const refused = both.find(({ status }) => status === 429)?.body
    expect(refused).toMatchObject({ code: 'RateLimited', message: expect.stringMatching(/dakikada en fazla bir/) })
    expect(refused?.waitMs).toBeLessThanOrEqual(60_000)
    passMinute()
    expect((await send(room.admin, 'Üç')).status).toBe(200)
    await inRoom.waitForEvent('popupNotification', ({ message }) => message === 'Üç')
    expect(inRoom.countEvents('popupNotification')).toBe(2)
  })
})
