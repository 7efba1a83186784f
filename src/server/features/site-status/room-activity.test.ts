import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { decodeServerFrame, encode, Kind } from '../../../shared/protocol/frame.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import { Publisher } from '../../kernel/live/publisher.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { roomActivityStream } from '../../model/site-status/streams.ts'
import { createFakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../testing/fixtures/test-connection.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { RoomActivityNotifier } from './room-activity.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  database.close()
})

const OTHER = 9
const ROOM = 2

let seq = 0
const messageEvent = (roomId: number, id: number, audience: Audience | null = null, actorId = 1): LoggedEvent => {
  return { seq: ++seq, stream: roomStream(roomId), name: 'message', actorId, audience, payload: encode({ id }) }
}

/** Users who watch the room, and what each of them has got since: the time and the last message. */
function watchRoom(...userIds: number[]) {
  seq = 0
  const publisher = new Publisher(0)
  const activity = new RoomActivityNotifier(publisher, database.read)
  const start = Date.now()
  const notifications: Record<number, { afterMs: number; messageId: unknown }[]> = {}
  for (const id of userIds) {
    notifications[id] = []
    const connection = openTestConnection(createFakeTransport(), { person: createPerson(id, `u${id}`) })
    publisher.subscribe(connection, roomActivityStream(ROOM), 0)
  }
  vi.spyOn(publisher, 'enqueue').mockImplementation(({ identity }, bytes) => {
    const [frame] = decodeServerFrame(bytes)
    if (frame?.[0] === Kind.ephemeral && frame[1] === 'roomActivity' && identity)
      notifications[identity.viewer.userId]?.push({ afterMs: Date.now() - start, messageId: frame[2].messageId })
  })
  return { publisher, activity, notifications }
}

it('[ROOM-20] [ROOM-21] sends at most one notification per room in 3 s, the final one with the last message', () => {
  const { publisher, notifications } = watchRoom(OTHER)
  for (let id = 1; id <= 500; id++) publisher.publish([messageEvent(ROOM, id), messageEvent(3, id + 1_000)])
  expect(notifications[OTHER]).toEqual([{ afterMs: 0, messageId: 1 }])
  vi.advanceTimersByTime(60_000)
  expect(notifications[OTHER]).toEqual([
    { afterMs: 0, messageId: 1 },
    { afterMs: 3_000, messageId: 500 },
  ])
})

it('[ROOM-21] skips messages with an audience, and sends nothing after close', () => {
  const { publisher, activity, notifications } = watchRoom(OTHER)
  publisher.publish([messageEvent(ROOM, 1, 'actor'), messageEvent(ROOM, 2, 'session:7')])
  expect(notifications[OTHER]).toEqual([])
  publisher.publish([messageEvent(ROOM, 3), messageEvent(ROOM, 4)])
  activity.close()
  vi.advanceTimersByTime(10_000)
  expect(notifications[OTHER]).toEqual([{ afterMs: 0, messageId: 3 }])
})
