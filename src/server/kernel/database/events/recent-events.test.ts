import { describe, expect, it } from 'vitest'
import { roomStream } from '../../presence/streams.ts'
import type { LoggedEvent } from './logged-event.ts'
import { RecentEvents } from './recent-events.ts'

const event = (seq: number, payload = new Uint8Array(8)): LoggedEvent => {
  const stream = roomStream((seq % 2) + 1)
  return { seq, stream, actorId: null, audience: null, name: 'message', payload }
}
const seqs = (events: LoggedEvent[] | null) => events?.map(({ seq }) => seq)

describe('events in memory', () => {
  it('are found by cursor and stream, oldest first, up to the limit', () => {
    const recent = new RecentEvents(10)
    for (const seq of [11, 12, 13, 1_000, 1_001]) recent.append(event(seq))
    const streams = [roomStream(1), roomStream(2)]
    expect(seqs(recent.since(10, streams, 10))).toEqual([11, 12, 13, 1_000, 1_001])
    expect(seqs(recent.since(13, streams, 10))).toEqual([1_000, 1_001])
    expect(seqs(recent.since(500, [roomStream(2)], 10))).toEqual([1_001])
    expect(seqs(recent.since(10, streams, 2))).toEqual([11, 12])
    expect(seqs(recent.since(1_001, streams, 10))).toEqual([])
    expect(recent.since(9, streams, 10)).toBeNull()
  })

  it('are at least the latest 4,000', () => {
    const recent = new RecentEvents(0)
    for (let seq = 1; seq <= 23_456; seq++) {
      recent.append(event(seq))
      const oldest = Math.max(0, seq - 4_000)
      if (seq % 997 === 0) expect(recent.since(oldest, [roomStream(1), roomStream(2)], 1)?.[0]?.seq).toBe(oldest + 1)
    }
    expect(recent.since(23_456 - 5_000, [roomStream(1)], 1)).toBeNull()
  })

  it('are fewer when their payloads are large', () => {
    const recent = new RecentEvents(0)
    for (let seq = 1; seq <= 100; seq++) recent.append(event(seq, new Uint8Array(1024 * 1024)))
    expect(recent.since(90, [roomStream(1)], 1)).toBeNull()
    expect(seqs(recent.since(99, [roomStream(1)], 1))).toEqual([100])
  })

  it('are forgotten with a replaced log', () => {
    const recent = new RecentEvents(0)
    recent.append(event(1))
    recent.reset(event(70))
    expect(recent.since(1, [roomStream(1)], 1)).toBeNull()
    recent.append(event(72))
    expect(seqs(recent.since(70, [roomStream(1)], 1))).toEqual([72])
  })
})
