import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RoomPreference } from '../../../shared/rooms/rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { roomAccessRoutes } from './routes.ts'

let api: TestApi
let room: OwnedRoom
beforeAll(async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }
  api = await openTestApi(env, (app, _, region) => roomAccessRoutes(app, region.appContext))
  room = await createOwnedRoom(api.region)
})
afterAll(() => api.close())

type Who = Exclude<keyof OwnedRoom, 'roomId'>

const setPreference = (who: TestUser, kind: 'message' | 'media', value: string, roomId = room.roomId) =>
  api.post(
    `/api/rooms/set-${kind}-preference`,
    { roomId, [`${kind}Preference`]: value },
    { authorization: `Bearer ${who.token}` },
  )

const presentRoom = async () => {
  const client = await api.region.connectAs(room.owner)
  const joined = await client.request('joinRoom', { roomId: room.roomId })
  client.disconnect()
  return 'room' in joined ? joined.room : expect.unreachable(joined.code)
}

describe('setting the preferences of a room', () => {
  it.each<[Who, number]>([
    ['owner', 200],
    ['admin', 200],
    ['root', 200],
    ['member', 403],
    ['premium', 403],
    ['guest', 403],
  ])('[ENTRY-01] by its %s is answered with %i', async (who, status) => {
    for (const kind of ['message', 'media'] as const) {
      expect(await setPreference(room[who], kind, 'everyone')).toMatchObject({ status })
    }
  })

  it('[ENTRY-01] takes the four values, changes one at a time, and refuses others', async () => {
    for (const value of ['members', 'premium', 'admins', 'everyone']) {
      expect(await setPreference(room.owner, 'message', value)).toMatchObject({ status: 200, body: { success: true } })
      expect(await presentRoom()).toMatchObject({ messagePreference: value, mediaPreference: 'everyone' })
    }
    await setPreference(room.owner, 'media', 'premium')
    expect(await presentRoom()).toMatchObject({ messagePreference: 'everyone', mediaPreference: 'premium' })
    await setPreference(room.owner, 'media', 'everyone')
    expect(await setPreference(room.owner, 'message', 'nobody')).toMatchObject({
      status: 422,
      body: { code: 'InvalidInput' },
    })
  })

  it('[ENTRY-01] is refused for a room that does not exist', async () => {
    const answer = await setPreference(room.root, 'message', 'members', 9_999)
    expect(answer).toMatchObject({ status: 404, body: { code: 'RoomNotFound' } })
  })

  it('[ENTRY-04] tells the users of the room and no others, and nobody when nothing changes', async () => {
    const inside = await api.region.connectAs(room.guest, room.roomId)
    const outside = await api.region.connectAs(room.member, 1)
    await setPreference(room.owner, 'message', 'everyone')
    await setPreference(room.owner, 'message', 'members')
    expect(await inside.waitForEvent('roomPreferencesUpdated')).toEqual({
      roomId: room.roomId,
      messagePreference: 'members',
      mediaPreference: 'everyone',
    })
    await setPreference(room.owner, 'message', 'members')
    for (const client of [inside, outside]) await client.request('getRooms', {})
    expect([inside, outside].map((client) => client.countEvents('roomPreferencesUpdated'))).toEqual([1, 0])
    for (const client of [inside, outside]) client.disconnect()
  })
})

describe('a message to a room with a preference', () => {
  const writers: Record<RoomPreference, Who[]> = {
    everyone: ['owner', 'admin', 'root', 'member', 'premium', 'guest'],
    members: ['owner', 'admin', 'root', 'member', 'premium'],
    premium: ['owner', 'admin', 'root', 'premium'],
    admins: ['owner', 'admin', 'root'],
  }
  const texts = {
    everyone: null,
    members: 'Bu odaya yalnızca üyeler yazabilir.',
    premium: "Bu odaya yalnızca Premium'lar yazabilir.",
    admins: 'Bu odaya yalnızca oda adminleri yazabilir.',
  } satisfies Record<RoomPreference, string | null>

  it.each(Object.keys(writers) as RoomPreference[])(
    '[ENTRY-02] for %s is decided by the writer',
    async (preference) => {
      await setPreference(room.owner, 'message', preference)
      for (const who of writers.everyone) {
        const client = await api.region.connectAs(room[who], room.roomId)
        const answer = await client.request('sendMessage', { roomId: room.roomId, content: `Ben ${who}` })
        const refusal = { code: 'RoomWriteRefused', message: texts[preference] }
        expect(answer, who).toMatchObject(writers[preference].includes(who) ? { success: true } : refusal)
        client.disconnect()
      }
    },
  )

  it('[ENTRY-02] is refused once the premium of its sender has ended', async () => {
    const client = await api.region.connectAs(room.premium, room.roomId)
    const db = openForWriting(api.region.appContext.config.databaseFile)
    db.prepare('update user set premiumUntil = ? where id = ?').run(Date.now() - 1, room.premium.userId)
    db.close()
    await setPreference(room.owner, 'message', 'premium')
    const late = await client.request('sendMessage', { roomId: room.roomId, content: 'Geç kaldım' })
    expect(late).toMatchObject({ code: 'RoomWriteRefused', message: texts.premium })
  })
})
