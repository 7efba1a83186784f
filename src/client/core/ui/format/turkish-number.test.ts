import { describe, expect, it } from 'vitest'
import { countText } from './turkish-number.ts'

describe('countText', () => {
  it.each([0, 7, 999, 1_000, 1_284, 100_000, 1_234_567])('writes %d as Intl does', (count) => {
    expect(countText(count)).toBe(new Intl.NumberFormat('tr-TR').format(count))
  })
})
