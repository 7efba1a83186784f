import { beforeEach, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { OwnRooms } from './state.ts'

let environment: FakeEnvironment
let rooms: OwnRooms
let requests: ((rooms: readonly OwnRoom[] | null) => void)[]

beforeEach(async () => {
  environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  requests = []
  rooms = new OwnRooms(client.live, () => new Promise((resolve) => requests.push(resolve)))
  await client.openRoom()
})

const room = {
  id: 7,
  name: 'Oda',
  activeUsers: 0,
  capacity: 10,
  isList: true,
  isActive: true,
  ownerId: 1,
  expiryDate: 1,
}
const NONE: readonly OwnRoom[] = []
const ONE: readonly OwnRoom[] = [room]
let seq = 2_000
const change = () => environment.transport.receive([Kind.event, ++seq, 'ownRoomsChanged', { roomId: 7 }])
async function answer(index: number, answered: readonly OwnRoom[] | null): Promise<void> {
  requests[index]?.(answered)
  await flushPromises()
}

it('[ORDER-42] own rooms are fetched when they are shown, and again when an event says that they changed', async () => {
  change()
  expect(requests).toHaveLength(0)
  const unwatch = rooms.watch()
  await answer(0, NONE)
  expect(rooms.rooms.value).toBe(NONE)
  change()
  await answer(1, ONE)
  expect(rooms.rooms.value).toBe(ONE)
  unwatch()
  change()
  expect(requests).toHaveLength(2)
})

it('[ORDER-42] own rooms ignore an answer that a later change has overtaken', async () => {
  rooms.watch()
  change()
  await answer(1, ONE)
  await answer(0, NONE)
  expect(rooms.rooms.value).toBe(ONE)
})

it('[ORDER-42] own rooms keep what was shown when a request fails, and say so', async () => {
  rooms.watch()
  await answer(0, ONE)
  change()
  await answer(1, null)
  expect([rooms.rooms.value, rooms.hasFailed.value]).toEqual([ONE, true])
  void rooms.load()
  await answer(2, NONE)
  expect([rooms.rooms.value, rooms.hasFailed.value]).toEqual([NONE, false])
})
