import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestRegion, sendHello, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'

let region: TestRegion
beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => region.destroy())

const FULL = { code: 'RoomFull', message: 'Oda dolu. Lütfen daha sonra tekrar dene.' }

it('[ENTRY-19] a full room refuses newcomers, and its owner, its admins and root admins always get in', async () => {
  const { roomId, owner, admin, root, member, premium, guest } = await createOwnedRoom(region, { capacity: 1 })
  await region.connectAs(guest, roomId)
  const join = async (user: TestUser) => (await region.connectAs(user)).request('joinRoom', { roomId })
  for (const user of [member, premium]) expect(await join(user)).toMatchObject(FULL)
  for (const user of [owner, admin, root, guest]) expect(await join(user)).toMatchObject({ room: { id: roomId } })
})

it('[ENTRY-18] is not exceeded by 200 who join at once, and refuses before it reads anything', async () => {
  const { roomId } = await createOwnedRoom(region, { capacity: 25 })
  const users = await Promise.all(Array.from({ length: 200 }, (_, index) => region.createGuest(`akın${index}`)))
  const clients = await Promise.all(users.map((user) => region.connectAs(user)))
  const answers = await Promise.all(clients.map((client) => client.request('joinRoom', { roomId })))
  expect(answers.filter((answer) => 'room' in answer)).toHaveLength(25)
  expect(answers.filter((answer) => 'code' in answer && answer.code === 'RoomFull')).toHaveLength(175)
  expect(region.appContext.presence.roomCount(roomId, null)).toBe(25)
})

it('[ENTRY-20] a client that resumes keeps its place in a full room, and another one does not get it', async () => {
  const { roomId, member, premium } = await createOwnedRoom(region, { capacity: 1 })
  const client = await region.connectAs(member, roomId)
  const cursor = region.appContext.reader.cursor()
  client.disconnect()
  const newcomer = region.openConnection()
  expect(await sendHello(newcomer, premium, { cursor, roomId })).not.toHaveProperty('roomId')
  expect(await newcomer.request('joinRoom', { roomId })).toMatchObject(FULL)
  const again = region.openConnection()
  expect(await sendHello(again, member, { cursor, roomId })).toMatchObject({ resumed: true, roomId })
})
