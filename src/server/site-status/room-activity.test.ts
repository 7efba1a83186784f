import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { encode } from '../../shared/protocol/frame.ts'
import type { LoggedEvent } from '../database/events.ts'
import type { Audience } from '../database/streams.ts'
import { Publisher } from '../live/publisher.ts'
import { roomStream } from '../rooms/streams.ts'
import { openTestDatabase, type TestDatabase } from '../testing/fixtures/test-database.ts'
import { RoomActivityNotifier } from './room-activity.ts'
import { roomActivityStream } from './streams.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  database.close()
})

let seq = 0
function messageEvent(roomId: number, id: number, audience: Audience | null = null): LoggedEvent {
  return { seq: ++seq, stream: roomStream(roomId), name: 'message', actorId: 1, audience, payload: encode({ id }) }
}

function watchRooms(...roomIds: number[]) {
  seq = 0
  const publisher = new Publisher(0)
  const activity = new RoomActivityNotifier(publisher, database.read)
  vi.spyOn(publisher, 'hasSubscribers').mockImplementation((stream) => roomIds.map(roomActivityStream).includes(stream))
  const publishEphemeral = vi.spyOn(publisher, 'publishEphemeral')
  const notifications = () => publishEphemeral.mock.calls.map(([stream, , payload]) => [stream, payload])
  return { publisher, activity, notifications }
}

it('[ROOM-20] [ROOM-21] sends at most one notification per room in 3 s, the final one with the last message', () => {
  const { publisher, notifications } = watchRooms(2)
  for (let id = 1; id <= 500; id++) publisher.publish([messageEvent(2, id), messageEvent(3, id + 1_000)])
  expect(notifications()).toEqual([[roomActivityStream(2), { roomId: 2, messageId: 1 }]])
  vi.advanceTimersByTime(2_999)
  expect(notifications()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(notifications().slice(1)).toEqual([[roomActivityStream(2), { roomId: 2, messageId: 500 }]])
  vi.advanceTimersByTime(60_000)
  expect(notifications()).toHaveLength(2)
})

it('[ROOM-21] skips messages with an audience, and sends nothing after close', () => {
  const { publisher, activity, notifications } = watchRooms(2)
  publisher.publish([messageEvent(2, 1, 'actor'), messageEvent(2, 2, 'session:7')])
  expect(notifications()).toEqual([])
  publisher.publish([messageEvent(2, 3), messageEvent(2, 4)])
  activity.close()
  vi.advanceTimersByTime(10_000)
  expect(notifications()).toEqual([[roomActivityStream(2), { roomId: 2, messageId: 3 }]])
})
