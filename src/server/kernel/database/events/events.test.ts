import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { WriterTransaction } from '../transaction.ts'
import { eventsSince } from './events.ts'
import { decodeEventPayload } from './logged-event.ts'
import { RecentEvents } from './recent-events.ts'
import { SEQ_SKIP, skipSequence } from './skip-sequence.ts'
import { joinStreams, type Stream, userStream } from './streams.ts'

let base: TestDatabase
beforeEach(async () => {
  base = await openTestDatabase()
})
afterEach(() => base.close())

/** Writes events as a command would. */
function emit(count: number, message = 'x', stream: Stream = userStream(1)): void {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  for (let i = 0; i < count; i++) tx.emit({ stream, name: 'forceDisconnect', payload: { message } })
  tx.commit()
}

describe('the event log', () => {
  it('replays what a stream missed, in order, and nothing of other streams', () => {
    emit(2)
    emit(1, 'other', userStream(2))
    emit(1)
    expect(eventsSince(base.read, 1, [userStream(1)])?.map(({ seq }) => seq)).toEqual([2, 4])
    expect(eventsSince(base.read, 4, [userStream(1)])).toEqual([])
  })

  it('replays an event of two streams once, to both and to no other', () => {
    emit(1, 'x', joinStreams(userStream(1), userStream(12)))
    const recent = new RecentEvents(0)
    const seqsOf = (memory: RecentEvents | undefined, ...ids: number[]) =>
      eventsSince(base.read, 0, ids.map(userStream), memory)?.map(({ seq }) => seq)
    for (const event of eventsSince(base.read, 0, [userStream(1)]) ?? []) recent.append(event)
    for (const memory of [undefined, recent])
      expect([[1], [12], [1, 12], [2]].map((ids) => seqsOf(memory, ...ids))).toEqual([[1], [1], [1], []])
  })

  it('[LIVE-16] makes no replay for a cursor from the future', () => {
    emit(1)
    expect(eventsSince(base.read, 2, [userStream(1)])).toBeNull()
  })

  it('[LIVE-16] makes no replay of more than 1,000 events or 256 KiB', () => {
    emit(1001)
    expect(eventsSince(base.read, 0, [userStream(1)])).toBeNull()
    expect(eventsSince(base.read, 1, [userStream(1)])).toHaveLength(1000)
    emit(3, 'x'.repeat(100 * 1024))
    expect(eventsSince(base.read, 1001, [userStream(1)])).toBeNull()
    expect(eventsSince(base.read, 1002, [userStream(1)])).toHaveLength(2)
  })

  it('[LIVE-19] skips numbers, so that a cursor from a lost future makes no replay', () => {
    emit(3)
    const tx = new WriterTransaction(base.db)
    tx.begin(base.clock.now)
    skipSequence(tx)
    tx.commit()
    emit(1)
    expect(base.read.cursor()).toBe(3 + SEQ_SKIP + 1)
    expect(eventsSince(base.read, 3, [userStream(1)])).toHaveLength(1)
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 0 })
    for (const lost of [4, 500, 3 + SEQ_SKIP]) expect(eventsSince(base.read, lost, [userStream(1)])).toBeNull()
  })

  it('[LIVE-16] makes no replay for a cursor more than 5,000 numbers behind, however few events it missed', () => {
    emit(1)
    emit(5_000, 'x', userStream(2))
    expect(eventsSince(base.read, 0, [userStream(1)])).toBeNull()
    expect(eventsSince(base.read, 1, [userStream(1)])).toEqual([])
    emit(1)
    expect(eventsSince(base.read, 1, [userStream(1)])).toBeNull()
    expect(eventsSince(base.read, 2, [userStream(1)])).toHaveLength(1)
  })

  it('[LIVE-16] does not count the numbers of gaps as distance', () => {
    emit(1)
    for (let term = 0; term < 3; term++) {
      const tx = new WriterTransaction(base.db)
      tx.begin(base.clock.now)
      skipSequence(tx)
      tx.commit()
      emit(2)
    }
    expect(eventsSince(base.read, 1, [userStream(1)])).toHaveLength(6)
    emit(4_994)
    expect(eventsSince(base.read, 1, [userStream(2)])).toEqual([])
    emit(1)
    expect(eventsSince(base.read, 1, [userStream(2)])).toBeNull()
  })

  it('[LIVE-15] replays the same from memory and from the log, and reads what memory lacks', () => {
    const recent = new RecentEvents(0)
    const logged = () => eventsSince(base.read, 0, [userStream(1), userStream(2)]) ?? []
    emit(3)
    emit(2, 'y', userStream(2))
    for (const event of logged()) recent.append(event)
    emit(2)
    for (const cursor of [0, 1, 4, 5, 6, 7])
      for (const streams of [[userStream(1)], [userStream(2)], [userStream(1), userStream(2)]])
        expect(eventsSince(base.read, cursor, streams, recent)).toEqual(eventsSince(base.read, cursor, streams))
    expect(logged()).toHaveLength(7)
  })

  it('[LIVE-19] replays from the log when it has lost the latest event in memory', () => {
    const recent = new RecentEvents(0)
    emit(2)
    for (const event of eventsSince(base.read, 0, [userStream(1)]) ?? []) recent.append(event)
    base.db.prepare('delete from event where seq = 2').run()
    emit(1, 'another')
    const [first, second, ...more] = eventsSince(base.read, 0, [userStream(1)], recent) ?? []
    expect([first?.seq, second && decodeEventPayload(second), more]).toEqual([1, { message: 'another' }, []])
  })
})
