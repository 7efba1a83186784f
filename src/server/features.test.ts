import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../shared/protocol/catalogue.ts'
import { collectHandlers } from './features.ts'
import { openTestRegion, type TestRegion } from './testing/fixtures/test-region.ts'

let region: TestRegion
beforeAll(async () => {
  region = await openTestRegion()
})
afterAll(() => region.destroy())

const succeed = () => ({ success: true }) as const

describe('the features of a region', () => {
  it('[LIVE-31] handle every command of the catalogue exactly once', () => {
    const handled = region.features.flatMap(({ handlers = {} }) => Object.keys(handlers))
    expect(handled.toSorted()).toEqual(Object.keys(commands).toSorted())
  })

  it('[LIVE-31] stop the start when two of them handle the same command', () => {
    const duplicate = { handlers: { userConnected: succeed } }
    expect(() => collectHandlers([...region.features, duplicate])).toThrow(
      'two features have the handler of the command userConnected',
    )
  })

  it('[LIVE-31] stop the start when a command has no handler', () => {
    const others = region.features.filter(({ handlers }) => !handlers?.hello)
    expect(() => collectHandlers(others)).toThrow(/no feature handles .*\bhello\b/)
  })
})
