import { expect, it } from 'vitest'
import { mergePage } from './paged-items.ts'

const first = { items: ['a', 'b'], next: 2 }

it('a page is put to the list where it ends, once, however often it was asked for', () => {
  const second = mergePage(first, 2, { items: ['c', 'd'], next: 4 })
  expect(second).toEqual({ items: ['a', 'b', 'c', 'd'], next: 4 })
  expect(mergePage(second, 2, { items: ['c', 'd'], next: 4 })).toBe(second)
  expect(mergePage(second, 4, { items: ['e'], next: null })).toEqual({ items: ['a', 'b', 'c', 'd', 'e'], next: null })
})

it('a list that is loaded anew starts over, and takes no page of what it was before', () => {
  const anew = mergePage(first, null, { items: ['z', 'a'], next: 1 })
  expect(anew).toEqual({ items: ['z', 'a'], next: 1 })
  expect(mergePage(anew, 2, { items: ['c'], next: null })).toBe(anew)
})
