import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '../../../shared/accounts/protocol.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { encode, Kind } from '../../../shared/protocol/frame.ts'
import { createFakeTransport, type FakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../testing/fixtures/test-connection.ts'
import type { LoggedEvent } from '../database/events/logged-event.ts'
import { joinStreams, type Stream, siteStream, userStream } from '../database/events/streams.ts'
import { roomStream, rootAdminStream, visitorStream } from '../presence/streams.ts'
import { Publisher } from './publisher.ts'

let publisher: Publisher
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'clearTimeout', 'clearImmediate', 'performance'] })
  vi.advanceTimersByTime(1_000)
  publisher = new Publisher(0)
})
afterEach(() => vi.useRealTimers())

function connect(userId: number, streams: Stream[], role: Role = 'member', sessionId = userId * 10) {
  const transport = createFakeTransport()
  const person = createPerson(userId, undefined, { role })
  const connection = openTestConnection(transport, { person, sessionId })
  for (const stream of streams) publisher.subscribe(connection, stream, 0)
  return { transport, connection }
}
const event = (seq: number, stream: Stream, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  seq,
  stream,
  actorId: 1,
  audience: null,
  name: 'message' as const,
  payload: encode({ content: `m${seq}` }),
  ...more,
})
const seqs = (transport: FakeTransport) => transport.received.map((value) => value[1])

describe('the publisher', () => {
  it('[LIVE-05] [ROOM-11] delivers a stream to its subscribers only, in log order', () => {
    const { transport } = connect(1, [roomStream(1), siteStream])
    const { transport: outsider } = connect(2, [roomStream(2)])
    publisher.publish([event(1, roomStream(1)), event(2, siteStream), event(3, roomStream(1))])
    vi.runAllTimers()
    expect(seqs(transport)).toEqual([1, 2, 3])
    expect(transport.received[0]).toEqual([4, 1, 'message', { content: 'm1' }])
    expect(outsider.sentFrames).toEqual([])
  })

  it('[LIVE-18] does not send events again that a snapshot covered', () => {
    const { transport, connection } = connect(1, [siteStream])
    publisher.subscribe(connection, roomStream(1), 2)
    publisher.publish([event(1, siteStream), event(2, roomStream(1)), event(3, roomStream(1))])
    vi.runAllTimers()
    expect(seqs(transport)).toEqual([1, 3])
  })

  it('[LIVE-08] encodes an event once: everyone in the room gets the same frame', () => {
    const transports = [1, 2, 3].map((id) => connect(id, [roomStream(1)]).transport)
    publisher.publish([event(1, roomStream(1)), event(2, roomStream(1))])
    vi.runAllTimers()
    const frames = new Set(transports.map((transport) => transport.sentFrames[0]?.frame()))
    expect(frames.size).toBe(1)
    expect(transports.map(seqs)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ])
  })

  it('[REL-08] [LIVE-08] encodes a reply once more for all who have blocked the quoted author', () => {
    const quote = { id: 3, content: 'sözler', senderId: 9, senderUsername: 'can' }
    const answer = { id: 4, content: 'cevap', replyTo: quote }
    const listeners = [1, 2, 3, 4].map((id) => connect(id, [roomStream(1)]))
    for (const { connection } of listeners.slice(2)) {
      connection.state.identity.viewer.blockedIds = new Set([9])
    }
    publisher.publish([event(1, roomStream(1), { payload: encode(answer) })])
    vi.runAllTimers()
    const [first, second, third, fourth] = listeners.map(({ transport }) => transport)
    expect(first?.received).toEqual([[4, 1, 'message', answer]])
    const removedQuote = { id: 3, content: null, senderId: null, senderUsername: null }
    expect(third?.received).toEqual([[4, 1, 'message', { ...answer, replyTo: removedQuote }]])
    expect(second?.sentFrames[0]?.value).toBe(first?.sentFrames[0]?.value)
    expect(fourth?.sentFrames[0]?.value).toBe(third?.sentFrames[0]?.value)
  })

  it('[DM-01] delivers an event of two streams once to the subscribers of each, in the same frame', () => {
    const listeners = [1, 12, 2].map((id) => connect(id, [userStream(id)]).transport)
    publisher.publish([event(1, joinStreams(userStream(1), userStream(12)))])
    vi.runAllTimers()
    expect(listeners.map(seqs)).toEqual([[1], [1], []])
    expect(listeners[0]?.sentFrames[0]).toBe(listeners[1]?.sentFrames[0])
  })

  it('[MANAGE-03] delivers an event of two streams once to a connection with both', () => {
    const { transport } = connect(1, [roomStream(1), userStream(1)])
    const { transport: inRoom } = connect(2, [roomStream(1)])
    publisher.publish([event(1, joinStreams(roomStream(1), userStream(1)))])
    vi.runAllTimers()
    expect([seqs(transport), seqs(inRoom)]).toEqual([[1], [1]])
  })

  it('sends connections different frames when their values differ', () => {
    const { transport: one, connection } = connect(1, [roomStream(1)])
    const { transport: two } = connect(2, [roomStream(1)])
    publisher.publish([event(1, roomStream(1))])
    publisher.enqueue(connection, encode([2, 7, {}]))
    publisher.publish([event(2, roomStream(1))])
    vi.runAllTimers()
    expect(one.received.map((value) => value[0])).toEqual([4, 2, 4])
    expect(seqs(two)).toEqual([1, 2])
  })

  it('[LIVE-09] sends at once when idle, and batches for at most 10 ms under load', () => {
    const { transport } = connect(1, [roomStream(1)])
    publisher.publish([event(1, roomStream(1))])
    vi.advanceTimersByTime(0)
    expect(transport.sentFrames).toHaveLength(1)
    for (let seq = 2; seq <= 9; seq++) {
      publisher.publish([event(seq, roomStream(1))])
      vi.advanceTimersByTime(1)
    }
    expect(transport.sentFrames).toHaveLength(1)
    vi.advanceTimersByTime(2)
    expect(transport.sentFrames).toHaveLength(2)
    expect(seqs(transport)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('[LIVE-09] answers while a long fan-out is under way', () => {
    const transports = Array.from({ length: 1_200 }, (_, index) => connect(index, [roomStream(1)]).transport)
    const countServed = () => transports.filter(({ sentFrames }) => sentFrames.length > 0).length
    publisher.publish([event(1, roomStream(1))])
    vi.advanceTimersToNextTimer()
    const { connection, transport } = connect(9_999, [])
    publisher.enqueueAnswer(connection, encode([Kind.answer, 1, {}]))
    while (transport.sentFrames.length === 0) vi.advanceTimersToNextTimer()
    expect(countServed()).toBeGreaterThan(0)
    expect(countServed()).toBeLessThan(1_200)
    vi.runAllTimers()
    expect(transports.map(seqs)).toEqual(transports.map(() => [1]))
  })

  it('[LIVE-25] closes a connection that does not read, and serves the others', () => {
    const { transport: stuck } = connect(1, [roomStream(1)])
    const { transport } = connect(2, [roomStream(1)])
    stuck.pendingBytes = 1024 * 1024 + 1
    publisher.publish([event(1, roomStream(1))])
    vi.runAllTimers()
    publisher.publish([event(2, roomStream(1))])
    vi.runAllTimers()
    expect(stuck.closeCode).toBe(4429)
    expect(seqs(stuck)).toEqual([1])
    expect(seqs(transport)).toEqual([1, 2])
  })

  it('delivers an event with an audience only to that part of the stream', () => {
    const { transport: actor } = connect(1, [roomStream(1)])
    const { transport: other } = connect(2, [roomStream(1)])
    publisher.publish([
      event(1, roomStream(1), { audience: 'actor' }),
      event(2, roomStream(1), { audience: 'session:20' }),
    ])
    vi.runAllTimers()
    expect(seqs(actor)).toEqual([1])
    expect(seqs(other)).toEqual([2])
  })

  it('closes a session right after the event that ended it, before any later event', () => {
    const { transport: ended } = connect(1, [userStream(1), roomStream(1)])
    const { transport: laptop } = connect(1, [userStream(1), roomStream(1)], 'member', 99)
    const end = event(1, userStream(1), {
      name: 'forceDisconnect',
      audience: 'session:10',
      payload: encode({ message: 'Bitti' }),
    })
    publisher.publish([end, event(2, roomStream(1))])
    vi.runAllTimers()
    expect(ended.closeCode).toBe(4401)
    expect(ended.received).toEqual([[4, 1, 'forceDisconnect', { message: 'Bitti' }]])
    expect(laptop.closeCode).toBeNull()
    expect(seqs(laptop)).toEqual([2])
  })

  it('[REG-22] closes an ended session in every region, before any later event, for any batch size', () => {
    const end = event(2, userStream(1), {
      name: 'forceDisconnect',
      audience: 'session:10',
      payload: encode({ message: 'Bitti' }),
    })
    const rows = [event(1, roomStream(1)), end, event(3, roomStream(1)), event(4, userStream(1))]
    const portions = [[rows], rows.map((row) => [row]), [rows.slice(0, 2), rows.slice(1), rows]]
    for (const [region, portion] of portions.entries()) {
      publisher = new Publisher(0)
      const ended = [1, 2].map(() => connect(1, [userStream(1), roomStream(1)]).transport)
      const { transport: bystander } = connect(2, [userStream(2), roomStream(1)])
      for (const part of portion) publisher.publish(part)
      vi.runAllTimers()
      for (const transport of ended) {
        expect(seqs(transport), `region ${region}`).toEqual([1, 2])
        expect(transport.closeCode).toBe(4401)
      }
      expect(seqs(bystander)).toEqual([1, 3])
      expect(bystander.closeCode).toBeNull()
    }
  })

  it('[PRES-02] delivers ephemeral events to their stream only', () => {
    const { transport: admin } = connect(1, [rootAdminStream], 'rootadmin')
    const { transport: visitor } = connect(2, [visitorStream])
    publisher.publishEphemeral(rootAdminStream, 'userLeft', { username: 'x' })
    publisher.publishEphemeral(userStream(9), 'userLeft', { username: 'x' })
    vi.runAllTimers()
    expect(admin.received).toEqual([[5, 'userLeft', { username: 'x' }]])
    expect(visitor.sentFrames).toEqual([])
  })
})
