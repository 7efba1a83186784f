import { beforeEach, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { UnreadRooms } from './unread-rooms.ts'

let environment: FakeEnvironment
let client: RoomHarness
let unreadRooms: UnreadRooms
beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  unreadRooms = new UnreadRooms(environment, client.live)
  await client.openRoom()
  unreadRooms.enterRoom(1)
})

const unreadIds = () => [...unreadRooms.roomIds.value]
const activity = (roomId: number, messageId: number) =>
  environment.transport.receive([Kind.ephemeral, 'roomActivity', { roomId, messageId }])
const watched = () => environment.transport.request('watchRooms').input
async function answer(...rooms: { roomId: number; messageId: number }[]): Promise<void> {
  environment.transport.answer('watchRooms', { rooms })
  await flushPromises()
}

it('[ROOM-20] marks a left room after a new message, until the next visit', async () => {
  expect(environment.transport.count('watchRooms')).toBe(0)
  unreadRooms.enterRoom(2)
  expect(watched()).toEqual({ roomIds: [1] })
  await answer({ roomId: 1, messageId: 7 })
  expect(unreadIds()).toEqual([])
  activity(1, 7)
  activity(3, 9)
  expect(unreadIds()).toEqual([])
  activity(1, 8)
  expect(unreadIds()).toEqual([1])
  unreadRooms.enterRoom(1)
  expect(unreadIds()).toEqual([])
  expect(watched()).toEqual({ roomIds: [2] })
  activity(1, 9)
  expect(unreadIds()).toEqual([])
})

it('[LIVE-38] [ROOM-20] marks a room by an event in the frame of the answer to watchRooms', async () => {
  unreadRooms.enterRoom(2)
  environment.transport.receive(
    [Kind.answer, environment.transport.request('watchRooms').id, { rooms: [{ roomId: 1, messageId: 7 }] }],
    [Kind.ephemeral, 'roomActivity', { roomId: 1, messageId: 8 }],
  )
  await flushPromises()
  expect(unreadIds()).toEqual([1])
})

it('[ROOM-23] unmarks a room whose new messages are removed', async () => {
  unreadRooms.enterRoom(2)
  await answer({ roomId: 1, messageId: 7 })
  activity(1, 8)
  expect(unreadIds()).toEqual([1])
  activity(1, 7)
  expect(unreadIds()).toEqual([])
  activity(1, 9)
  activity(1, 0)
  expect(unreadIds()).toEqual([])
})

it('[ROOM-20] finds messages sent before the watch began and during a lost connection', async () => {
  client.live.deliver('message', { roomId: 1, id: 5 }, 101)
  unreadRooms.enterRoom(2)
  await answer({ roomId: 1, messageId: 6 })
  expect(unreadIds()).toEqual([1])

  unreadRooms.enterRoom(1)
  await answer({ roomId: 2, messageId: 10 })
  environment.transport.drop()
  await environment.advance(6_000)
  await client.answerHello({ roomId: 1 })
  expect(watched()).toEqual({ roomIds: [2] })
  await answer({ roomId: 2, messageId: 11 })
  expect(unreadIds()).toEqual([2])
})

it('[ROOM-20] keeps marks over a reload, forgets them with the session, and ignores invalid storage', async () => {
  unreadRooms.enterRoom(2)
  await answer({ roomId: 1, messageId: 7 })
  const later = new UnreadRooms(environment, client.live)
  later.enterRoom(2)
  await answer({ roomId: 1, messageId: 8 })
  expect([...later.roomIds.value]).toEqual([1])

  later.clear()
  for (const stored of [null, 'nonsense', '{}', '[[1]]', '[["a",2]]']) {
    if (stored !== null) environment.tabStorage.set('visitedRooms', stored)
    const count = environment.transport.count('watchRooms')
    new UnreadRooms(environment, client.live).enterRoom(1)
    expect(environment.transport.count('watchRooms')).toBe(count)
  }
  expect(createRoomPage().room.id).toBe(1)
})
