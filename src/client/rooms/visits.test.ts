import { beforeEach, expect, it } from 'vitest'
import { Kind } from '../../shared/protocol/frame.ts'
import { FakeEnvironment, settled } from '../live/testing/fake-environment.ts'
import { pageOf, RoomClient } from '../live/testing/room-client.ts'
import { Visits } from './visits.ts'

let environment: FakeEnvironment
let client: RoomClient
let visits: Visits
beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomClient(environment)
  visits = new Visits(environment, client.live)
  await client.enter()
  visits.enter(1)
})

const stirred = () => [...visits.stirred.value]
const activity = (roomId: number, messageId: number) =>
  environment.wire.receive([Kind.ephemeral, 'roomActivity', { roomId, messageId }])
const watched = () => environment.wire.request('watchRooms').input
async function answer(...rooms: { roomId: number; messageId: number }[]): Promise<void> {
  environment.wire.answer('watchRooms', { rooms })
  await settled()
}

it('[ROOM-20] marks a room that was left when something is said there, until it is visited again', async () => {
  expect(environment.wire.count('watchRooms')).toBe(0)
  visits.enter(2)
  expect(watched()).toEqual({ roomIds: [1] })
  await answer({ roomId: 1, messageId: 7 })
  expect(stirred()).toEqual([])
  activity(1, 7)
  activity(3, 9)
  expect(stirred()).toEqual([])
  activity(1, 8)
  expect(stirred()).toEqual([1])
  visits.enter(1)
  expect(stirred()).toEqual([])
  expect(watched()).toEqual({ roomIds: [2] })
  activity(1, 9)
  expect(stirred()).toEqual([])
})

it('[LIVE-38] [ROOM-20] marks a room of which it was told in one frame with what it had before', async () => {
  visits.enter(2)
  environment.wire.receive(
    [Kind.answer, environment.wire.request('watchRooms').id, { rooms: [{ roomId: 1, messageId: 7 }] }],
    [Kind.ephemeral, 'roomActivity', { roomId: 1, messageId: 8 }],
  )
  await settled()
  expect(stirred()).toEqual([1])
})

it('[ROOM-23] lose their mark when what was new there is taken away', async () => {
  visits.enter(2)
  await answer({ roomId: 1, messageId: 7 })
  activity(1, 8)
  expect(stirred()).toEqual([1])
  activity(1, 7)
  expect(stirred()).toEqual([])
  activity(1, 9)
  activity(1, 0)
  expect(stirred()).toEqual([])
})

it('[ROOM-20] finds what was said between leaving and watching, and while the line was cut', async () => {
  client.live.deliver('message', { roomId: 1, id: 5 }, 101)
  visits.enter(2)
  await answer({ roomId: 1, messageId: 6 })
  expect(stirred()).toEqual([1])

  visits.enter(1)
  await answer({ roomId: 2, messageId: 10 })
  environment.wire.drop()
  await environment.advance(6_000)
  await client.greet({ roomId: 1 })
  expect(watched()).toEqual({ roomIds: [2] })
  await answer({ roomId: 2, messageId: 11 })
  expect(stirred()).toEqual([2])
})

it('[ROOM-20] goes on after a reload, forgets with the session, and stands whatever lies in the storage', async () => {
  visits.enter(2)
  await answer({ roomId: 1, messageId: 7 })
  const later = new Visits(environment, client.live)
  later.enter(2)
  await answer({ roomId: 1, messageId: 8 })
  expect([...later.stirred.value]).toEqual([1])

  later.forget()
  for (const kept of [null, 'nonsense', '{}', '[[1]]', '[["a",2]]']) {
    if (kept !== null) environment.tab.set('visitedRooms', kept)
    const count = environment.wire.count('watchRooms')
    new Visits(environment, client.live).enter(1)
    expect(environment.wire.count('watchRooms')).toBe(count)
  }
  expect(pageOf().room.id).toBe(1)
})
