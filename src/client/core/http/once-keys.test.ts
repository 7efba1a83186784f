import { expect, it } from 'vitest'
import { OnceKeys } from './once-keys.ts'

it('[PREM-12] a request keeps its key until it succeeds, and another request has another one', () => {
  let made = 0
  const keys = new OnceKeys(() => `key ${++made}`)
  expect([keys.keyOf('buy at 50'), keys.keyOf('buy at 50')]).toEqual(['key 1', 'key 1'])
  expect(keys.keyOf('buy at 60')).toBe('key 2')
  keys.forget('buy at 50')
  expect([keys.keyOf('buy at 50'), keys.keyOf('buy at 60')]).toEqual(['key 3', 'key 2'])
})
