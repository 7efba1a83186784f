import { beforeEach, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../room-chat/testing/room-harness.ts'
import { OnlineCounts } from './online-counts.ts'
import { RoomSubscription } from './room-subscription.ts'

let environment: FakeEnvironment
let counts: OnlineCounts
let showPage: (rooms: number[], roomCount: number) => void

beforeEach(async () => {
  environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  const subscription = new RoomSubscription(environment, client.live)
  counts = new OnlineCounts(environment, client.live, subscription)
  await client.openRoom()
  showPage = (rooms, roomCount) => {
    const listings = rooms.map((id) => ({ id, name: `Oda ${id}`, activeUsers: 1 }))
    subscription.openPage({ ...createRoomPage(), rooms: listings, roomCount })
  }
})

let seq = 1_000
const receive = (name: string, payload: object) =>
  environment.transport.receive([Kind.event, ++seq, name, payload as never])
const create = (id: number, isList = true) =>
  receive('roomCreated', { room: { id, name: `Oda ${id}`, activeUsers: 0 }, isList })
const deactivate = (roomId: number, isList = true) => receive('roomDeactivated', { roomId, isList })
const listed = () => [counts.listedRooms.value.map(({ id }) => id), counts.listedRoomCount.value]

it('[ORDER-34] a listed room comes into the whole list and its count, and leaves both', () => {
  showPage([1, 2], 2)
  create(7)
  expect(listed()).toEqual([[1, 2, 7], 3])
  create(7)
  expect(listed()).toEqual([[1, 2, 7], 3])
  expect(counts.byRoom.value[7]).toBe(0)
  deactivate(2)
  deactivate(2)
  expect(listed()).toEqual([[1, 7], 2])
})

it('[ORDER-34] a list of the busiest alone only counts it', () => {
  showPage([1, 2], 60)
  create(7)
  expect(listed()).toEqual([[1, 2], 61])
  deactivate(44)
  expect(listed()).toEqual([[1, 2], 60])
  deactivate(1)
  expect(listed()).toEqual([[2], 59])
})

it('[ORDER-34] an unlisted room changes no list', () => {
  showPage([1, 2], 60)
  create(7, false)
  deactivate(9, false)
  expect(listed()).toEqual([[1, 2], 60])
})
