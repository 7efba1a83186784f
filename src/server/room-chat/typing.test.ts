import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import type { Publisher } from '../live/publish.ts'
import { aloneOnBus } from '../regions/bus.ts'
import { testBuses } from '../testing/bus-pair.ts'
import { Typing } from './typing.ts'

interface Told {
  stream: string
  names: string[]
}

let told: Told[]
let typing: Typing
const gone = new Set<number>()
const isIn = (_roomId: number, userId: number): boolean => !gone.has(userId)
beforeEach(() => {
  vi.useFakeTimers()
  told = []
  gone.clear()
  typing = new Typing(publisherInto(told), aloneOnBus('tek'), isIn)
})
afterEach(() => {
  typing.close()
  vi.useRealTimers()
})

/** All that it uses of a publisher. */
function publisherInto(into: Told[]): Publisher {
  const moment = (stream: string, _: string, { users }: EventPayload<'typing'>) => {
    into.push({ stream, names: users.map(({ username }) => username) })
  }
  return { moment } as unknown as Publisher
}

const note = (id: number, roomId = 1) => typing.note(roomId, { id, username: `kişi${id}` })

it('[CHAT-29] tells the first at once and whoever follows together, a second later', () => {
  note(1)
  expect(told).toEqual([{ stream: 'room:1', names: ['kişi1'] }])
  note(2)
  note(3)
  note(3)
  vi.advanceTimersByTime(999)
  expect(told).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(told.at(-1)).toEqual({ stream: 'room:1', names: ['kişi2', 'kişi3'] })
})

it('[CHAT-29] makes one small moment a second of 2,000 people who write without a pause', () => {
  for (let second = 0; second < 10; second++) {
    for (let id = 1; id <= 2_000; id++) note(id)
    vi.advanceTimersByTime(1_000)
  }
  expect(told.length).toBeLessThanOrEqual(11)
  expect(Math.max(...told.map(({ names }) => names.length))).toBe(5)
})

it('[CHAT-29] counts each room by itself and says nothing where nobody writes', () => {
  note(1, 1)
  note(2, 2)
  vi.advanceTimersByTime(60_000)
  expect(told.map(({ stream }) => stream)).toEqual(['room:1', 'room:2'])
})

it('[CHAT-29] does not say that somebody writes who has just said it', () => {
  note(1)
  note(2)
  typing.forget(1, 2)
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(1)
})

it('[CHAT-29] does not say that somebody writes who is not there any more', () => {
  note(1)
  note(2)
  note(3)
  gone.add(2)
  vi.advanceTimersByTime(1_000)
  expect(told.at(-1)?.names).toEqual(['kişi3'])
})

it('[CHAT-29] reaches the room in every region, each once, and does not come back', () => {
  const buses = testBuses(['ankara', 'izmir'])
  const [ankara, izmir]: [Told[], Told[]] = [[], []]
  const [here, there] = [
    new Typing(publisherInto(ankara), buses.of('ankara'), isIn),
    new Typing(publisherInto(izmir), buses.of('izmir'), isIn),
  ]
  buses.join('ankara')
  buses.join('izmir')
  here.note(1, { id: 1, username: 'kişi1' })
  vi.advanceTimersByTime(10_000)
  expect([ankara, izmir]).toEqual([[{ stream: 'room:1', names: ['kişi1'] }], [{ stream: 'room:1', names: ['kişi1'] }]])
  buses.of('ankara').send('all', 'typing', { roomId: 'bir', users: [{ id: 0 }] })
  vi.advanceTimersByTime(10_000)
  expect(izmir).toHaveLength(1)
  here.close()
  there.close()
})
