import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayOf, isDay, rangeOfDay } from './turkish-day.ts'

it('[REQUEST-08] a day begins at midnight of Turkish time', () => {
  const { from, to } = rangeOfDay('2026-11-23')
  expect([new Date(from).toISOString(), to - from]).toEqual(['2026-11-22T21:00:00.000Z', 24 * 60 * 60_000])
  expect([from - 1, from, to - 1, to].map(dayOf)).toEqual(['2026-11-22', '2026-11-23', '2026-11-23', '2026-11-24'])
})

it('[REQUEST-08] each time is in the range of its day', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2099, 0, 1) }), (at) => {
      const { from, to } = rangeOfDay(dayOf(at))
      expect(isDay(dayOf(at)) && from <= at && at < to).toBe(true)
    }),
  )
})

it.each(['', '2026-2-3', '2026-02-30', '2026-13-01', 'bugün', '2026-11-23T00:00', '1026-11-23'])(
  '[REQUEST-08] %j is no day',
  (text) => expect(isDay(text)).toBe(false),
)
