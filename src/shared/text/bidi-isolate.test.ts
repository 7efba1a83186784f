import { expect, test } from 'vitest'
import { isolateBidi } from './bidi-isolate.ts'

test('[PRES-18] a name in a sentence is unchanged, or isolated if it is written right to left', () => {
  expect(isolateBidi('Gülşah_1')).toBe('Gülşah_1')
  expect(isolateBidi('مرحبا')).toBe('\u2068مرحبا\u2069')
  expect(isolateBidi('\u2069\u202Eters')).toBe('\u2068ters\u2069')
})
