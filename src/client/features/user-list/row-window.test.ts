import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ROW_PX, rowShift, rowWindowAt } from './row-window.ts'

it('[PRES-15] renders the rows in view and a few more, for any number of rows', () => {
  expect(rowWindowAt(0, 800)).toEqual({ first: 0, last: 16 })
  expect(rowWindowAt(160_000 - 800, 800)).toEqual({ first: 1984, last: 2008 })
  expect(rowWindowAt(-50, 800)).toEqual(rowWindowAt(0, 800))
})

it('[PRES-15] covers the whole viewport at every scroll position', () => {
  fc.assert(
    fc.property(fc.nat(8_000_000), fc.integer({ min: 1, max: 4_000 }), (top, height) => {
      const { first, last } = rowWindowAt(top, height)
      expect(first * ROW_PX).toBeLessThanOrEqual(top)
      expect(last * ROW_PX).toBeGreaterThanOrEqual(top + height)
      expect(last - first).toBeLessThanOrEqual(height / ROW_PX + 24)
    }),
  )
})

it('[PRES-21] computes by how many rows the first remaining row in view has moved', () => {
  const list = (...ids: number[]) => ids.map((id) => ({ id }))
  const before = list(1, 2, 3, 4, 5)
  expect(rowShift(before, list(1, 2, 3, 4), 2)).toBe(0)
  expect(rowShift(before, list(8, 9, 1, 2, 3, 4, 5), 2)).toBe(2)
  expect(rowShift(before, list(3, 4, 5), 2)).toBe(-2)
  expect(rowShift(before, list(8, 1, 2, 4, 5), 2)).toBe(0)
  expect(rowShift(before, list(8, 9, 1, 2, 5), 2)).toBe(0)
  expect(rowShift(before, list(7, 8), 2)).toBe(0)
})
