import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roomPrice, roomPriceKurus } from './rules.ts'

const lira = fc.integer({ min: 1, max: 1_000_000 })
const basisPoints = fc.integer({ min: 0, max: 10_000 })

describe('the price of a room', () => {
  it.each([
    [100, 0, false, 100],
    [100, 0, true, 110],
    [175, 0.1, false, 158], // 157.50
    [175, 0.3, true, 133], // 132.50
    [1000, 0.3, true, 710],
    [1, 1, false, 0],
  ])('[OPTION-08] for %i lira less %f, listed: %s, is %i', (price, discountPercentage, isList, expected) => {
    expect(roomPrice({ price }, { discountPercentage }, isList)).toBe(expected)
  })

  it('[OPTION-08] is the exact price rounded to the nearest lira, halves up', () => {
    fc.assert(
      fc.property(lira, basisPoints, fc.boolean(), (price, discountBasisPoints, isList) => {
        const kurus = roomPriceKurus({ capacityPriceKurus: price * 100, discountBasisPoints, isList })
        expect(kurus % 100).toBe(0)
        // The exact price in 1/10,000 of a lira.
        const exact = BigInt(price) * BigInt(10_000 - discountBasisPoints) + (isList ? 100_000n : 0n)
        const error = BigInt(kurus / 100) * 10_000n - exact
        expect(error > -5_000n && error <= 5_000n).toBe(true)
      }),
    )
  })

  it('[OPTION-08] in the browser equals that of the server', () => {
    fc.assert(
      fc.property(lira, basisPoints, fc.boolean(), (price, discountBasisPoints, isList) => {
        const shown = roomPrice({ price }, { discountPercentage: discountBasisPoints / 10_000 }, isList)
        expect(shown * 100).toBe(roomPriceKurus({ capacityPriceKurus: price * 100, discountBasisPoints, isList }))
      }),
    )
  })
})
