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
import { SeededRandom } from '../../testing/simulation/seeded-random.ts'
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

const GHOST = 7
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

/** Takes the same random messages of the ghost and others; the ghost's are hidden, visible or missing. */
function runScript(ghostMessages: 'hidden' | 'visible' | 'missing') {
  const random = new SeededRandom(5)
  const { publisher, notifications } = watchRoom(GHOST, OTHER)
  for (let id = 1; id <= 400; id++) {
    const isOfGhost = random.integer(0, 1) === 1
    const audience = isOfGhost && ghostMessages === 'hidden' ? 'actor' : null
    const event = messageEvent(ROOM, id, audience, isOfGhost ? GHOST : 1)
    if (!isOfGhost || ghostMessages !== 'missing') publisher.publish([event])
    vi.advanceTimersByTime(random.integer(0, 2) === 0 ? random.integer(1_000, 8_000) : random.integer(0, 900))
  }
  vi.advanceTimersByTime(10_000)
  return notifications
}

it('[GHOST-23] notifies a ghost as if nothing were hidden, and others as if the ghost wrote nothing, at the same times', () => {
  const [free, ghost, gone] = [runScript('visible'), runScript('hidden'), runScript('missing')]
  expect(ghost[GHOST]).toEqual(free[GHOST])
  expect(ghost[OTHER]).toEqual(gone[OTHER])
  expect(free[OTHER]).not.toEqual(gone[OTHER])
})

it('[GHOST-23] another ghost’s messages change nothing for a ghost', () => {
  const { publisher, notifications } = watchRoom(GHOST, OTHER)
  publisher.publish([messageEvent(ROOM, 1, 'actor', GHOST), messageEvent(ROOM, 2, 'actor', OTHER)])
  vi.advanceTimersByTime(1_000)
  publisher.publish([messageEvent(ROOM, 3, 'actor', OTHER)])
  vi.advanceTimersByTime(10_000)
  expect(notifications[GHOST]).toEqual([{ afterMs: 0, messageId: 1 }])
  expect(notifications[OTHER]).toEqual([
    { afterMs: 0, messageId: 2 },
    { afterMs: 3_000, messageId: 3 },
  ])
})
