import { expect, test } from 'vitest'
import { interleave, ratios, summarise } from './statistics.ts'

test('the median of an even number of rounds lies between the middle two', () => {
  expect(summarise([4, 1, 3, 2])).toEqual({ median: 2.5, lowest: 1, highest: 4 })
  expect(summarise([7])).toEqual({ median: 7, lowest: 7, highest: 7 })
  expect(() => summarise([])).toThrow(RangeError)
})

test('a ratio is computed for each round', () => {
  expect(ratios([10, 30], [5, 10])).toEqual([2, 3])
  expect(() => ratios([10, 30], [5])).toThrow(RangeError)
})

test('interleaved subjects take turns, in reversed order every other round', async () => {
  const order: string[] = []
  const runTurn = (name: string) => async () => order.push(name)
  const counted = await interleave(3, { a: runTurn('a'), b: runTurn('b') })
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(counted).toEqual({ a: [1, 4, 5], b: [2, 3, 6] })
})
