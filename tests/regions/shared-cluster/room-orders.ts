// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { databaseOf, originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { giveMoney } from '../../../src/server/testing/fixtures/money.ts'
import { Refusal } from '../../../src/shared/protocol/refusals.ts'
import { GRACE_MS } from '../../../src/shared/room-orders/term-rules.ts'
import type { Room } from '../../../src/shared/rooms/protocol.ts'
import { expectAnswer, LiveConnection } from '../../drivers/live-connection.ts'
import {
  RegionClient,
  type RegionSession,
  signInGuestIn,
  signInRootAdmins,
  uniqueName,
  updateRegionDatabase,
} from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Orders or renews a room for 25 people and a month. */
async function buy({ plan }: RegionProcess, { token }: RegionSession, path: string, more: object = {}): Promise<Room> {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ capacityOptionId: 1, durationOptionId: 1, ...more }),
  })
  const parsed = (await answer.json()) as { success: boolean; room: Room } // the schema of the routes
  expect(parsed).toMatchObject({ success: true })
  return parsed.room
}

const refusalCode = (answer: unknown) => (answer instanceof Refusal ? answer.body.code : 'answered')

describe.skipIf(findMissingTool('litefs'))('an ordered room in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[ORDER-31] [ORDER-34] is listed in both, leads its people out in both when it is deactivated, and comes back', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const { fra: owner } = await signInRootAdmins(cluster, 'fra')
    const { connection: ownerConnection, hello } = await LiveConnection.open(originOf(fra.plan), owner.token)
    giveMoney(databaseOf(ist.plan), { userId: hello.user.id, amountKurus: 21_000 })
    const guests = await Promise.all(
      [ist, fra].map(async (region) => RegionClient.connect(region, await signInGuestIn(region, uniqueName('Konuk')))),
    )

    const name = uniqueName('Bölge ')
    const { id: roomId } = await buy(fra, owner, '/rooms', { name })
    for (const { connection } of guests) {
      await pollUntil('the room is listed', () => connection.receivedEvents('roomCreated').length === 1)
      await pollUntil(
        'the room is open',
        async () => refusalCode(await connection.request('joinRoom', { roomId })) === 'answered',
      )
    }

    updateRegionDatabase(ist, 'update room set expiryDate = ? where id = ?', Date.now() - GRACE_MS - 1_000, roomId)
    for (const { connection } of guests) {
      await pollUntil('the room is closed', () => connection.receivedEvents('roomDeactivated').length === 1)
      expect(refusalCode(await connection.request('getRoomUsers', { roomId }))).toBe('NotInRoom')
      expect(refusalCode(await connection.request('joinRoom', { roomId }))).toBe('RoomNotFound')
      const { rooms } = expectAnswer(await connection.request('getRooms', {}))
      expect(rooms.map(({ id }) => id)).not.toContain(roomId)
    }

    expect(await buy(fra, owner, `/rooms/${roomId}/renew`)).toMatchObject({ id: roomId, isActive: true })
    for (const { connection } of guests) {
      await pollUntil('the room is listed again', () => connection.receivedEvents('roomCreated').length === 2)
      expectAnswer(await connection.request('joinRoom', { roomId }))
    }
    ownerConnection.terminate()
  })
})
