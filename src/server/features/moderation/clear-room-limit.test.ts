import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOM_CHANGE_LIMIT } from '../../../shared/room-access/limits.ts'
import { query } from '../../model/schema/query.ts'
import { createOwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestRegion, type TestRegion } from '../../testing/fixtures/test-region.ts'

let region: TestRegion
beforeAll(async () => {
  region = await openTestRegion()
})
afterAll(() => region.destroy())

const clearings = query()((db) =>
  db
    .selectFrom('actionEntry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', 'roomCleared'),
)

it('limits how often a room is cleared, because each clearing is kept in the action log', async () => {
  const { owner, roomId } = await createOwnedRoom(region)
  const client = await region.connectAs(owner, roomId)
  const tries = ROOM_CHANGE_LIMIT.points * 2
  for (let i = 0; i < tries; i++) await client.request('clearRoomMessages', { roomId })
  expect(await client.request('clearRoomMessages', { roomId })).toMatchObject({ code: 'RateLimited' })
  expect(region.appContext.reader.get(clearings)?.count).toBeLessThan(tries)
})
