import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FULL_WEIGHT, reportWeight } from './rules.ts'

const count = fc.nat(10_000)

it('[REPORT-06] counts a new member half and a new guest a quarter, and moves with each decision', () => {
  const weights = [
    [0, 0],
    [0, 10],
    [10, 0],
  ].map(([confirmedCount = 0, falseCount = 0]) => reportWeight({ confirmedCount, falseCount }, false))
  expect(weights).toEqual([500, 83, 917])
  expect(reportWeight({ confirmedCount: 0, falseCount: 0 }, true)).toBe(250)
})

it('[REPORT-06] is between 0 and 1,000, never rises with a false report and never falls with a confirmed one', () => {
  fc.assert(
    fc.property(count, count, fc.boolean(), (confirmedCount, falseCount, isGuest) => {
      const weight = reportWeight({ confirmedCount, falseCount }, isGuest)
      expect(weight).toBeGreaterThanOrEqual(0)
      expect(weight).toBeLessThanOrEqual(FULL_WEIGHT)
      expect(reportWeight({ confirmedCount, falseCount: falseCount + 1 }, isGuest)).toBeLessThanOrEqual(weight)
      expect(reportWeight({ confirmedCount: confirmedCount + 1, falseCount }, isGuest)).toBeGreaterThanOrEqual(weight)
    }),
  )
})
