import { expect, it } from 'vitest'
import { PersonLimiters } from './person-limiters.ts'

const LIMIT = { points: 2, perMs: 1_000 }

it('limits each user by each limit apart, times the scale of the settings', () => {
  const countPassed = (limiters: PersonLimiters, userId: number, limit = LIMIT) =>
    Array.from({ length: 10 }, () => limiters.consume(limit, userId, 0)).filter((waitMs) => waitMs === 0).length
  const usual = new PersonLimiters(1)
  expect([countPassed(usual, 1), countPassed(usual, 1), countPassed(usual, 2)]).toEqual([2, 0, 2])
  expect(countPassed(usual, 1, { ...LIMIT })).toBe(2)
  expect(countPassed(new PersonLimiters(3), 1)).toBe(6)
})

it('takes the points of all charges or of none, and gives them back', () => {
  const limiters = new PersonLimiters(1)
  const charge = (key: string) => ({ limit: LIMIT, key, points: 1 })
  const both = [charge('person'), charge('address')]
  expect([limiters.consumeAll(both, 0), limiters.consumeAll([charge('address')], 0)]).toEqual([0, 0])
  expect(limiters.consumeAll(both, 0)).toBeGreaterThan(0)
  expect(limiters.consumeAll([charge('person')], 0)).toBe(0)
  limiters.refundAll(both)
  expect(limiters.consumeAll(both, 0)).toBe(0)
})
