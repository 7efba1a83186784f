import { describe, expect, it } from 'vitest'
import { countText } from './turkish-number.ts'

describe('a count', () => {
  it.each([0, 7, 999, 1_000, 1_284, 100_000, 1_234_567])('is written as Intl writes it: %d', (count) => {
    expect(countText(count)).toBe(new Intl.NumberFormat('tr-TR').format(count))
  })
})
