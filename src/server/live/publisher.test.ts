import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '../../shared/accounts/protocol.ts'
import { createPerson } from '../../shared/accounts/testing/person-fixture.ts'
import { encode } from '../../shared/protocol/frame.ts'
import type { LoggedEvent } from '../database/events.ts'
import { type Stream, siteStream, userStream } from '../database/streams.ts'
import { rootAdminStream, visitorStream } from '../presence/streams.ts'
import { roomStream } from '../rooms/streams.ts'
import { createFakeTransport, type FakeTransport } from '../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../testing/fixtures/test-connection.ts'
import { Publisher } from './publisher.ts'

let publisher: Publisher
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'clearTimeout', 'clearImmediate', 'performance'] })
  vi.advanceTimersByTime(1_000)
  publisher = new Publisher(0)
})
afterEach(() => vi.useRealTimers())

function connect(userId: number, streams: Stream[], role: Role = 'member', sessionId = userId * 10) {
  const line = createFakeTransport()
  const person = createPerson(userId, undefined, { role })
  const connection = openTestConnection(line, { person, sessionId })
  for (const stream of streams) publisher.subscribe(connection, stream, 0)
  return { line, connection }
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
const seqs = (line: FakeTransport) => line.received.map((value) => value[1])

describe('the publisher', () => {
  it('[LIVE-05] [ROOM-11] hands a stream to those who hear it, in the order of the log, and to nobody else', () => {
    const { line } = connect(1, [roomStream(1), siteStream])
    const { line: outsider } = connect(2, [roomStream(2)])
    publisher.publish([event(1, roomStream(1)), event(2, siteStream), event(3, roomStream(1))])
    vi.runAllTimers()
    expect(seqs(line)).toEqual([1, 2, 3])
    expect(line.received[0]).toEqual([4, 1, 'message', { content: 'm1' }])
    expect(outsider.sentFrames).toEqual([])
  })

  it('[LIVE-18] does not send again what a snapshot covered', () => {
    const { line, connection } = connect(1, [siteStream])
    publisher.subscribe(connection, roomStream(1), 2)
    publisher.publish([event(1, siteStream), event(2, roomStream(1)), event(3, roomStream(1))])
    vi.runAllTimers()
    expect(seqs(line)).toEqual([1, 3])
  })

  it('[LIVE-08] encodes an event once: everyone in the room is given the same frame', () => {
    const lines = [1, 2, 3].map((id) => connect(id, [roomStream(1)]).line)
    publisher.publish([event(1, roomStream(1)), event(2, roomStream(1))])
    vi.runAllTimers()
    const frames = new Set(lines.map((line) => line.sentFrames[0]?.frame()))
    expect(frames.size).toBe(1)
    expect(lines.map(seqs)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ])
  })

  it('[REL-08] [LIVE-08] encodes an answer once more for all who do not see its quote, and the others notice nothing', () => {
    const quote = { id: 3, content: 'sözler', senderId: 9, senderUsername: 'can' }
    const answer = { id: 4, content: 'cevap', replyTo: quote }
    const listeners = [1, 2, 3, 4].map((id) => connect(id, [roomStream(1)]))
    for (const { connection } of listeners.slice(2)) {
      connection.state.identity.viewer.blockedIds = new Set([9])
    }
    publisher.publish([event(1, roomStream(1), { payload: encode(answer) })])
    vi.runAllTimers()
    const [first, second, third, fourth] = listeners.map(({ line }) => line)
    expect(first?.received).toEqual([[4, 1, 'message', answer]])
    const gone = { id: 3, content: null, senderId: null, senderUsername: null }
    expect(third?.received).toEqual([[4, 1, 'message', { ...answer, replyTo: gone }]])
    expect(second?.sentFrames[0]?.value).toBe(first?.sentFrames[0]?.value)
    expect(fourth?.sentFrames[0]?.value).toBe(third?.sentFrames[0]?.value)
  })

  it('gives each connection its own frame where what they are to get differs', () => {
    const { line: one, connection } = connect(1, [roomStream(1)])
    const { line: two } = connect(2, [roomStream(1)])
    publisher.publish([event(1, roomStream(1))])
    publisher.enqueue(connection, encode([2, 7, {}]))
    publisher.publish([event(2, roomStream(1))])
    vi.runAllTimers()
    expect(one.received.map((value) => value[0])).toEqual([4, 2, 4])
    expect(seqs(two)).toEqual([1, 2])
  })

  it('[LIVE-09] sends at once when idle, and gathers for at most 10 ms under load', () => {
    const { line } = connect(1, [roomStream(1)])
    publisher.publish([event(1, roomStream(1))])
    vi.advanceTimersByTime(0)
    expect(line.sentFrames).toHaveLength(1)
    for (let seq = 2; seq <= 9; seq++) {
      publisher.publish([event(seq, roomStream(1))])
      vi.advanceTimersByTime(1)
    }
    expect(line.sentFrames).toHaveLength(1)
    vi.advanceTimersByTime(2)
    expect(line.sentFrames).toHaveLength(2)
    expect(seqs(line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('[LIVE-25] ends a connection that does not read, and nobody else notices', () => {
    const { line: stuck } = connect(1, [roomStream(1)])
    const { line } = connect(2, [roomStream(1)])
    stuck.pendingBytes = 1024 * 1024 + 1
    publisher.publish([event(1, roomStream(1))])
    vi.runAllTimers()
    publisher.publish([event(2, roomStream(1))])
    vi.runAllTimers()
    expect(stuck.closeCode).toBe(4429)
    expect(seqs(stuck)).toEqual([1])
    expect(seqs(line)).toEqual([1, 2])
  })

  it('asks one verdict about who may hear: an audience narrows the stream', () => {
    const { line: actor } = connect(1, [roomStream(1)])
    const { line: other } = connect(2, [roomStream(1)])
    publisher.publish([
      event(1, roomStream(1), { audience: 'actor' }),
      event(2, roomStream(1), { audience: 'session:20' }),
    ])
    vi.runAllTimers()
    expect(seqs(actor)).toEqual([1])
    expect(seqs(other)).toEqual([2])
  })

  it('closes a session whose access ended right after it was told, before anything later', () => {
    const { line: ended } = connect(1, [userStream(1), roomStream(1)])
    const { line: laptop } = connect(1, [userStream(1), roomStream(1)], 'member', 99)
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

  it('[REG-22] ends a session wherever the log is followed, before anything later, however many rows come at once', () => {
    const end = event(2, userStream(1), {
      name: 'forceDisconnect',
      audience: 'session:10',
      payload: encode({ message: 'Bitti' }),
    })
    const rows = [event(1, roomStream(1)), end, event(3, roomStream(1)), event(4, userStream(1))]
    const portions = [[rows], rows.map((row) => [row]), [rows.slice(0, 2), rows.slice(1), rows]]
    for (const [region, portion] of portions.entries()) {
      publisher = new Publisher(0)
      const ended = [1, 2].map(() => connect(1, [userStream(1), roomStream(1)]).line)
      const { line: bystander } = connect(2, [userStream(2), roomStream(1)])
      for (const part of portion) publisher.publish(part)
      vi.runAllTimers()
      for (const line of ended) {
        expect(seqs(line), `region ${region}`).toEqual([1, 2])
        expect(line.closeCode).toBe(4401)
      }
      expect(seqs(bystander)).toEqual([1, 3])
      expect(bystander.closeCode).toBeNull()
    }
  })

  it('[PRES-02] moments reach their stream alone', () => {
    const { line: admin } = connect(1, [rootAdminStream], 'rootadmin')
    const { line: visitor } = connect(2, [visitorStream])
    publisher.publishEphemeral(rootAdminStream, 'userLeft', { username: 'x' })
    publisher.publishEphemeral(userStream(9), 'userLeft', { username: 'x' })
    vi.runAllTimers()
    expect(admin.received).toEqual([[5, 'userLeft', { username: 'x' }]])
    expect(visitor.sentFrames).toEqual([])
  })
})
