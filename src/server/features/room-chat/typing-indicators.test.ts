import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { Publisher } from '../../kernel/live/publisher.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { createEmptyPeerBus } from '../../kernel/regions/peer-bus.ts'
import { createFakePeerBuses } from '../../testing/links/fake-peer-bus.ts'
import { TypingIndicators } from './typing-indicators.ts'

interface PublishedTyping {
  stream: string
  names: string[]
}

let published: PublishedTyping[]
let typing: TypingIndicators
const leftUserIds = new Set<number>()
const presence = { isIn: (_roomId: number, userId: number): boolean => !leftUserIds.has(userId) }
beforeEach(() => {
  vi.useFakeTimers()
  published = []
  leftUserIds.clear()
  typing = new TypingIndicators(createFakePublisher(published), createEmptyPeerBus('tek'), presence)
})
afterEach(() => {
  typing.close()
  vi.useRealTimers()
})

/** The part of a publisher that typing indicators use. */
function createFakePublisher(into: PublishedTyping[]): Publisher {
  const publishEphemeral = (stream: string, _: string, { users }: EventPayload<'typing'>) => {
    into.push({ stream, names: users.map(({ username }) => username) })
  }
  return { publishEphemeral } as unknown as Publisher
}

const addTypingUser = (id: number, roomId = 1) => typing.addTypingUser(roomId, { id, username: `kişi${id}` })

it('[CHAT-29] sends the first typing user at once and later ones together a second later', () => {
  addTypingUser(1)
  expect(published).toEqual([{ stream: roomStream(1), names: ['kişi1'] }])
  addTypingUser(2)
  addTypingUser(3)
  addTypingUser(3)
  vi.advanceTimersByTime(999)
  expect(published).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(published.at(-1)).toEqual({ stream: roomStream(1), names: ['kişi2', 'kişi3'] })
})

it('[CHAT-29] sends one event a second with at most 5 names while 2,000 users type', () => {
  for (let second = 0; second < 10; second++) {
    for (let id = 1; id <= 2_000; id++) addTypingUser(id)
    vi.advanceTimersByTime(1_000)
  }
  expect(published.length).toBeLessThanOrEqual(11)
  expect(Math.max(...published.map(({ names }) => names.length))).toBe(5)
})

it('[CHAT-29] sends events per room, and none while nobody types', () => {
  addTypingUser(1, 1)
  addTypingUser(2, 2)
  vi.advanceTimersByTime(60_000)
  expect(published.map(({ stream }) => stream)).toEqual([roomStream(1), roomStream(2)])
})

it('[CHAT-29] leaves out a user who has sent the message', () => {
  addTypingUser(1)
  addTypingUser(2)
  typing.removeTypingUser(1, 2)
  vi.advanceTimersByTime(2_000)
  expect(published).toHaveLength(1)
})

it('[CHAT-29] leaves out a user who has left the room', () => {
  addTypingUser(1)
  addTypingUser(2)
  addTypingUser(3)
  leftUserIds.add(2)
  vi.advanceTimersByTime(1_000)
  expect(published.at(-1)?.names).toEqual(['kişi3'])
})

it('[CHAT-29] reaches the room once in every region and is not echoed back', () => {
  const buses = createFakePeerBuses(['ankara', 'izmir'])
  const [ankara, izmir]: [PublishedTyping[], PublishedTyping[]] = [[], []]
  const [inAnkara, inIzmir] = [
    new TypingIndicators(createFakePublisher(ankara), buses.busOf('ankara'), presence),
    new TypingIndicators(createFakePublisher(izmir), buses.busOf('izmir'), presence),
  ]
  buses.connect('ankara')
  buses.connect('izmir')
  inAnkara.addTypingUser(1, { id: 1, username: 'kişi1' })
  vi.advanceTimersByTime(10_000)
  expect([ankara, izmir]).toEqual([
    [{ stream: roomStream(1), names: ['kişi1'] }],
    [{ stream: roomStream(1), names: ['kişi1'] }],
  ])
  buses.busOf('ankara').send('all', 'typing', { roomId: 'bir', users: [{ id: 0 }] })
  vi.advanceTimersByTime(10_000)
  expect(izmir).toHaveLength(1)
  inAnkara.close()
  inIzmir.close()
})
