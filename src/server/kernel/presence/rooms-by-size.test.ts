import { expect, it } from 'vitest'
import { RoomsBySize } from './room-counts.ts'

const ROOMS = 80
const STEPS = 500

it('[ROOM-13] finds the busiest rooms as a look at every room does, after any changes', () => {
  let state = 5
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const sizes = new Map<number, number>()
  const rooms = new RoomsBySize()
  for (let step = 0; step < STEPS; step++) {
    const [roomId, size] = [next(ROOMS) + 1, next(12)]
    sizes.set(roomId, size)
    rooms.set(roomId, size)
    const descending = [...sizes.values()].sort((a, b) => b - a)
    const threshold = sizes.size <= 50 ? 0 : (descending[49] ?? 0)
    expect(rooms.threshold(50)).toBe(threshold)
    const expected = [...sizes].filter(([, count]) => count >= threshold).sort(([a], [b]) => a - b)
    expect(rooms.ofAtLeast(threshold)).toEqual(expected.map(([id, activeUsers]) => ({ roomId: id, activeUsers })))
    expect(rooms.sizeOf(roomId)).toBe(size)
  }
  expect(rooms.sizeOf(ROOMS + 1)).toBe(0)
})
