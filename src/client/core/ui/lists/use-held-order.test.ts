import { expect, it } from 'vitest'
import { inOrderOf } from './use-held-order.ts'

const items = (...ids: number[]) => ids.map((id) => ({ id }))

it('[ROOM-40] keeps items in the order held, with new ones behind them and without those that are gone', () => {
  expect(inOrderOf([3, 1, 2], items(1, 2, 3))).toEqual(items(3, 1, 2))
  expect(inOrderOf([3, 1, 2], items(5, 2, 4, 3))).toEqual(items(3, 2, 5, 4))
  expect(inOrderOf([], items(2, 1))).toEqual(items(2, 1))
})
