import { afterEach, expect, it, vi } from 'vitest'
import { browserEnvironment } from './environment.ts'

afterEach(() => vi.unstubAllGlobals())

it('[ACC-57] deletes values that a full storage did not take, too, when storage is cleared', () => {
  const setItem = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { setItem, getItem: () => null, clear: () => {} })
  browserEnvironment.tabStorage.set('draft:1', 'kimse görmesin')
  expect(browserEnvironment.tabStorage.get('draft:1')).toBe('kimse görmesin')
  browserEnvironment.tabStorage.clear()
  expect(browserEnvironment.tabStorage.get('draft:1')).toBeNull()
})
