import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, daysLeft } from '../../text/istanbul-time.ts'
import { extendPremium, premiumText } from './premium.ts'

const time = fc.integer({ min: 0, max: 4_000_000_000_000 })

it.each([
  [30 * DAY_MS, 'Premium: 30 gün kaldı'],
  [29 * DAY_MS + 1, 'Premium: 30 gün kaldı'],
  [DAY_MS, 'Premium: 1 gün kaldı'],
  [1, 'Premium: 1 gün kaldı'],
  [0, 'Premium bitti!'],
  [-DAY_MS, 'Premium bitti!'],
])('[PREM-10] with %i ms left says %j', (left, text) => {
  expect(premiumText(1_000_000 + left, 1_000_000)).toBe(text)
})

it('[PREM-10] says that premium has ended exactly from its end on', () => {
  fc.assert(
    fc.property(time, time, (endsAt, now) => {
      expect(daysLeft(endsAt, now) === 0).toBe(now >= endsAt)
    }),
  )
})

it('[PREM-02] each purchase adds its days to what is left', () => {
  fc.assert(
    fc.property(fc.option(time), time, fc.integer({ min: 1, max: 3650 }), (endsAt, now, days) => {
      const left = Math.max((endsAt ?? 0) - now, 0)
      expect(extendPremium(endsAt, days, now) - now).toBe(left + days * DAY_MS)
    }),
  )
})
