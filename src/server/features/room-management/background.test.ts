import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dailyUploadLimits } from '../../kernel/limits/daily-uploads.ts'
import { isBackgroundInUse } from '../../model/rooms/background-queries.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { roomManagementRoutes } from './routes.ts'

let api: TestApi
let room: OwnedRoom
beforeEach(async () => {
  api = await openTestApi({}, (app, _, site) => roomManagementRoutes(app, site.appContext))
  room = await createOwnedRoom(api.region)
})
afterEach(() => api.close())

async function picture(background = '#204060'): Promise<Buffer> {
  const create = { width: 2400, height: 1200, channels: 3, background } as const
  return sharp({ create })
    .withExif({ IFD0: { Copyright: 'gizli' } })
    .jpeg()
    .toBuffer()
}

async function upload(user: TestUser, bytes: Uint8Array | null, roomId = room.roomId) {
  const form = new FormData()
  if (bytes) form.set('backgroundImage', new Blob([new Uint8Array(bytes)]))
  const headers = { origin: api.origin, authorization: `Bearer ${user.token}` }
  const response = await api.send(`/api/rooms/${roomId}/background`, { method: 'PUT', headers, body: form })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}

async function remove(user: TestUser) {
  const headers = { origin: api.origin, authorization: `Bearer ${user.token}` }
  const response = await api.send(`/api/rooms/${room.roomId}/background`, { method: 'DELETE', headers })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}

const fetchFile = (name: unknown, user: TestUser) =>
  api.send(`/uploads/${name}`, { headers: { authorization: `Bearer ${user.token}` } })

describe('the background of a room', () => {
  it('[MANAGE-07] is stored in two sizes without metadata, and told to the room alone', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    const outside = await api.region.connectAs(room.premium, 1)
    const answer = await upload(room.admin, await picture())
    const sizes = [answer.backgroundImage, answer.smallBackgroundImage].map(async (name) => {
      const file = await fetchFile(name, room.guest)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
      const { width, height, exif } = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
      return { width, height, exif }
    })
    expect(await Promise.all(sizes)).toEqual([
      { width: 1920, height: 960, exif: undefined },
      { width: 960, height: 480, exif: undefined },
    ])
    expect(answer.backgroundImage).toBe(`${answer.backgroundImageHash}.webp`)
    const { success: _, ...background } = answer
    expect(await inRoom.waitForEvent('roomSettingsUpdated')).toMatchObject({ roomId: room.roomId, ...background })
    expect(await outside.request('joinRoom', { roomId: room.roomId })).toMatchObject({ room: background })
    expect(outside.countEvents('roomSettingsUpdated')).toBe(0)
  })

  it('[MANAGE-07] is refused from others before it is read, without a picture, and with one that is none', async () => {
    const bytes = await picture()
    for (const user of [room.member, room.premium, room.guest])
      expect(await upload(user, bytes)).toMatchObject({ code: 'Forbidden' })
    expect(await remove(room.member)).toMatchObject({ code: 'Forbidden' })
    expect(await upload(room.owner, bytes, 1)).toMatchObject({ code: 'Forbidden' })
    expect(await upload(room.owner, bytes, 999)).toMatchObject({ code: 'RoomNotFound' })
    expect(await upload(room.owner, null)).toMatchObject({ code: 'InvalidInput', path: 'backgroundImage' })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    for (const lie of [svg, Buffer.from('<!doctype html><script>alert(1)</script>'), bytes.subarray(0, 900)])
      expect(await upload(room.owner, lie)).toMatchObject({ code: 'UnsupportedMediaType' })
  })

  it('[MANAGE-07] counts against the daily bytes of its user', async () => {
    const { appContext } = api.region
    const { ofUser } = dailyUploadLimits(appContext.config)
    const allBytes = { limit: ofUser, key: room.owner.userId, points: ofUser.points }
    appContext.personLimiters.consumeAll([allBytes], appContext.clock())
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const create = { width: 800, height: 800, channels: 3, background: '#000', noise } as const
    const bytes = await sharp({ create }).jpeg().toBuffer()
    expect(await upload(room.owner, bytes)).toMatchObject({ code: 'RateLimited' })
    expect(await upload(room.admin, bytes)).toMatchObject({ success: true })
  })

  it('[MANAGE-08] is fetched by who may enter the room, and by nobody once it is replaced or removed', async () => {
    const first = await upload(room.owner, await picture('#aa2020'))
    const nobody = await api.send(`/uploads/${first.backgroundImage}`)
    expect([nobody.status, (await fetchFile(first.backgroundImage, room.member)).status]).toEqual([401, 200])
    const second = await upload(room.owner, await picture('#20aa20'))
    const statuses = async (answer: Record<string, unknown>) =>
      Promise.all(
        [answer.backgroundImage, answer.smallBackgroundImage].map(
          async (name) => (await fetchFile(name, room.member)).status,
        ),
      )
    expect([await statuses(first), await statuses(second)]).toEqual([
      [404, 404],
      [200, 200],
    ])
    runSql(api.region, 'update room set isActive = 0 where id = ?', room.roomId)
    expect(await statuses(second)).toEqual([404, 404])
    runSql(api.region, 'update room set isActive = 1 where id = ?', room.roomId)
    expect(await remove(room.admin)).toEqual({ success: true })
    expect(await statuses(second)).toEqual([404, 404])
    const { reader } = api.region.appContext
    expect(
      [first, second].map(({ backgroundImageHash }) => isBackgroundInUse(reader, String(backgroundImageHash))),
    ).toEqual([false, false])
  })
})
