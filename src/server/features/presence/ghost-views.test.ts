import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  GHOST_ID,
  OTHER_IDS,
  type ReceivedValue,
  ROOT_ADMIN_ID,
  runGhostScenario,
  type Step,
  type Treatment,
} from '../../testing/fixtures/ghost-scenario.ts'

/** The publisher collects the values of all connections for 10 ms; fake timers round up. */
const FLUSH_WINDOW_MS = 20
const SEED = Number(process.env.GHOST_SEED ?? Date.now() % 1_000_000)
const ROOM_EVENTS = ['users-in-room', 'user-joined', 'user-left', 'roomUserCountUpdate']

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const afterMs = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 5_000 }))
const tab = fc.integer({ min: 0, max: 1 })
const roomId = fc.integer({ min: 1, max: 3 })
const enter = (userId: fc.Arbitrary<number>) => fc.record({ kind: fc.constant('enter'), afterMs, userId, tab, roomId })
const breakOff = (userId: fc.Arbitrary<number>) => fc.record({ kind: fc.constant('break'), afterMs, userId, tab })
const rename = (userId: fc.Arbitrary<number>) =>
  fc.record({ kind: fc.constant('rename'), afterMs, userId, name: fc.constantFrom('ada', 'ışıl', 'zeynep') })
const flip = fc.record({ kind: fc.constantFrom('ban', 'lift'), afterMs })
/** Longer than a window: within one, the windows of the room and of the site may begin in another order. */
const slowFlip = fc.record({ kind: fc.constantFrom('ban', 'lift'), afterMs: fc.integer({ min: 300, max: 2_000 }) })
const ghost = fc.constant(GHOST_ID)
const other = fc.constantFrom(...OTHER_IDS)
const listOf = (...steps: fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...steps), { minLength: 5, maxLength: 40 }) as fc.Arbitrary<Step[]>

function run(steps: readonly Step[], treatment: Treatment): Map<string, ReceivedValue[]> {
  vi.setSystemTime(0)
  return runGhostScenario(steps, treatment)
}

/** What the tabs of these users received, without the time. */
const storyOf = (received: Map<string, ReceivedValue[]>, userIds: readonly number[], names?: readonly string[]) =>
  Object.fromEntries(
    [...received]
      .filter(([key]) => userIds.includes(Number(key.split(' ')[0])))
      .map(([key, values]) => [key, values.filter(({ name }) => !names || names.includes(name)).map(withoutRoomOrder)]),
  )

/** The tabs of a guest who comes back may enter their rooms in any order. */
function withoutRoomOrder({ name, value }: ReceivedValue): string {
  if (name !== 'roomUserCountUpdate') return `${name} ${value}`
  const { rooms } = JSON.parse(value) as { rooms: { roomId: number }[] } // as the event is sent
  return JSON.stringify(rooms.sort((a, b) => a.roomId - b.roomId))
}

/** The greatest difference between the times at which two runs sent the same values, in milliseconds. */
function greatestDelay(
  one: Map<string, ReceivedValue[]>,
  two: Map<string, ReceivedValue[]>,
  userIds: readonly number[],
): number {
  const times = (received: Map<string, ReceivedValue[]>) =>
    [...received]
      .filter(([key]) => userIds.includes(Number(key.split(' ')[0])))
      .flatMap(([, values]) => values.map(({ atMs }) => atMs))
  const [first, second] = [times(one), times(two)]
  return Math.max(0, ...first.map((atMs, index) => Math.abs(atMs - (second[index] ?? Number.POSITIVE_INFINITY))))
}

describe(`the views of a roster, seed ${SEED}`, () => {
  it('[GHOSTP-01] a ghost-banned guest receives value by value, and at the same times, what they would without the ban', () => {
    const steps = listOf(
      enter(ghost),
      enter(other),
      breakOff(ghost),
      breakOff(other),
      rename(ghost),
      rename(other),
      flip,
    )
    fc.assert(
      fc.property(steps, (list) => {
        const [free, banned] = [run(list, 'free'), run(list, 'ghost')]
        expect(storyOf(banned, [GHOST_ID])).toEqual(storyOf(free, [GHOST_ID]))
        expect(greatestDelay(free, banned, [GHOST_ID])).toBeLessThanOrEqual(FLUSH_WINDOW_MS)
      }),
      { seed: SEED, numRuns: 150 },
    )
  })

  it('[GHOSTP-02] others receive value by value, and at the same times, what they would if the guest had left and come back', () => {
    const steps = listOf(enter(ghost), enter(other), breakOff(other), rename(other), slowFlip)
    fc.assert(
      fc.property(steps, (list) => {
        const [gone, banned] = [run(list, 'gone'), run(list, 'ghost')]
        expect(storyOf(banned, OTHER_IDS)).toEqual(storyOf(gone, OTHER_IDS))
        expect(greatestDelay(gone, banned, OTHER_IDS)).toBeLessThanOrEqual(FLUSH_WINDOW_MS)
        expect(storyOf(banned, [ROOT_ADMIN_ID], ROOM_EVENTS)).toEqual(storyOf(gone, [ROOT_ADMIN_ID], ROOM_EVENTS))
      }),
      { seed: SEED, numRuns: 150 },
    )
  })
})
