import { expect, it } from 'vitest'
import { mergePage } from './paged-items.ts'

const first = { items: ['a', 'b'], next: 2 }

it('mergePage appends a page at the end of the list, once for repeated answers', () => {
  const second = mergePage(first, 2, { items: ['c', 'd'], next: 4 })
  expect(second).toEqual({ items: ['a', 'b', 'c', 'd'], next: 4 })
  expect(mergePage(second, 2, { items: ['c', 'd'], next: 4 })).toBe(second)
  expect(mergePage(second, 4, { items: ['e'], next: null })).toEqual({ items: ['a', 'b', 'c', 'd', 'e'], next: null })
})

it('mergePage replaces a reloaded list, and ignores later pages of the former one', () => {
  const reloaded = mergePage(first, null, { items: ['z', 'a'], next: 1 })
  expect(reloaded).toEqual({ items: ['z', 'a'], next: 1 })
  expect(mergePage(reloaded, 2, { items: ['c'], next: null })).toBe(reloaded)
})
