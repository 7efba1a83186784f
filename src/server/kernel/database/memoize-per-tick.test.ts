import { expect, it } from 'vitest'
import { memoizePerTick } from './memoize-per-tick.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('reads once in a turn of the event loop, and again in the next', async () => {
  let value = 0
  const read = memoizePerTick(() => ++value)
  expect([read(), read()]).toEqual([1, 1])
  await Promise.resolve()
  expect(read()).toBe(1)
  await nextTurn()
  expect([read(), read()]).toEqual([2, 2])
})

it('keeps no failed read', () => {
  let isBusy = true
  const read = memoizePerTick(() => {
    if (isBusy) throw new Error('busy')
    return 'read'
  })
  expect(read).toThrow('busy')
  isBusy = false
  expect(read()).toBe('read')
})
