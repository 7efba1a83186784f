import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLeft } from '../text/istanbul-time.ts'
import { addMonths, extendExpiry, GRACE_MS, isRenewable, RENEWAL_WINDOW_MS, termStateOf } from './term-rules.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const DAY_MS = 24 * 60 * 60 * 1000
const stateAt = (expiryDate: number | null, isActive = true) => termStateOf({ isActive, expiryDate }, NOW)

describe('the term of a room', () => {
  it.each([
    [RENEWAL_WINDOW_MS + 1, 'running'],
    [RENEWAL_WINDOW_MS, 'ending'],
    [0, 'ending'],
    [-1, 'overdue'],
    [-GRACE_MS, 'overdue'],
    [-GRACE_MS - 1, 'closed'],
  ])('[ORDER-30] [ORDER-35] %d ms before its expiry is %s', (leftMs, state) => {
    expect(stateAt(NOW + leftMs)).toBe(state)
    expect(isRenewable({ isActive: true, expiryDate: NOW + leftMs }, NOW)).toBe(state !== 'running')
  })

  it('[ORDER-30] never ends without an expiry, and is over in a deactivated room', () => {
    expect(stateAt(null)).toBe('running')
    expect(isRenewable({ isActive: true, expiryDate: null }, NOW)).toBe(false)
    expect(stateAt(NOW + DAY_MS, false)).toBe('closed')
  })

  it.each([
    [1, 1],
    [DAY_MS, 1],
    [DAY_MS + 1, 2],
    [0, 0],
    [-1, 0],
  ])('[ORDER-35] counts the days until %d ms from now, rounded up: %d', (ms, days) => {
    expect(daysLeft(NOW + ms, NOW)).toBe(days)
  })
})

describe('months', () => {
  it.each([
    ['2026-01-31T12:00+03:00', 1, '2026-02-28T12:00+03:00'],
    ['2028-01-31T12:00+03:00', 1, '2028-02-29T12:00+03:00'],
    ['2026-11-23T12:00+03:00', 3, '2027-02-23T12:00+03:00'],
    ['2026-12-31T23:30+03:00', 12, '2027-12-31T23:30+03:00'],
    // In UTC this is still the 30th.
    ['2026-08-31T01:00+03:00', 1, '2026-09-30T01:00+03:00'],
  ])('[ORDER-22] from %s on, %d of them end at %s', (from, months, end) => {
    expect(new Date(addMonths(Date.parse(from), months))).toEqual(new Date(end))
  })

  it('[ORDER-22] keep what is left: a renewal is never worth less than the months bought', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -900 * DAY_MS, max: 900 * DAY_MS }),
        fc.integer({ min: 1, max: 60 }),
        (left, months) => {
          const start = Math.max(NOW, NOW + left)
          const end = extendExpiry(NOW + left, months, NOW)
          expect(end).toBe(addMonths(start, months))
          expect(end - start).toBeGreaterThanOrEqual(months * 28 * DAY_MS)
          expect(end - start).toBeLessThanOrEqual(months * 31 * DAY_MS)
        },
      ),
    )
  })
})
