import { expect, it } from 'vitest'
import { KeyedCounts } from './keyed-counts.ts'

it('[HTTP-10] counts each key by itself, and takes one back once', () => {
  const counts = new KeyedCounts(2)
  const close = counts.open('a')
  expect([counts.open('a'), counts.open('a'), counts.open('b')]).toEqual([
    expect.any(Function),
    null,
    expect.any(Function),
  ])
  close?.()
  close?.()
  expect([counts.open('a'), counts.open('a')]).toEqual([expect.any(Function), null])
})
