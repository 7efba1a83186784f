import { expect, it } from 'vitest'
import { mergeDistinct } from './merge-distinct.ts'

it('merges what features have, and refuses two of the same name', () => {
  expect(mergeDistinct('kind', [{ one: 1 }, { two: 2 }])).toEqual({ one: 1, two: 2 })
  expect(() => mergeDistinct('kind', [{ one: 1 }, { one: 2 }])).toThrow('two features have the kind one')
})
