import { expect, it } from 'vitest'
import { ageText } from './age-text.ts'

it.each([
  [-5_000, 'şimdi'],
  [59_999, 'şimdi'],
  [60_000, '1 dk'],
  [3_599_999, '59 dk'],
  [3_600_000, '1 sa'],
  [86_400_000, '1 gün'],
])('%i ms are %s', (ageMs, text) => {
  expect(ageText(ageMs)).toBe(text)
})
