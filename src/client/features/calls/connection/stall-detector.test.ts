import { beforeEach, describe, expect, it } from 'vitest'
import { FakeEnvironment } from '../../../core/platform/testing/fake-environment.ts'
import { StallDetector } from './stall-detector.ts'

let environment: FakeEnvironment
let heard: string[]
let detector: StallDetector
/** What comes in half a second; null while nothing is expected. */
let rate: number | null
let received: number

beforeEach(() => {
  environment = new FakeEnvironment()
  heard = []
  rate = 25
  received = 0
  const read = async () => {
    received += rate ?? 0
    return rate === null ? null : received
  }
  const note = (what: string) => () => void heard.push(what)
  detector = new StallDetector(environment, read, { onStall: note('stall'), onFlow: note('flow') })
})

describe('packets of a call', () => {
  it('[CALLCLIENT-26] that stop are noticed once, after 1.5 s, and when they come again', async () => {
    await environment.advance(3_000)
    rate = 0
    await environment.advance(1_499)
    expect(heard).toEqual([])
    await environment.advance(10_000)
    expect(heard).toEqual(['stall'])
    received = 0 // a new connection
    await environment.advance(2_000)
    expect(heard).toEqual(['stall'])
    rate = 1
    await environment.advance(2_000)
    expect(heard).toEqual(['stall', 'flow'])
  })

  it('[CALLCLIENT-26] are not missed before the first one, while none are expected, or after the end', async () => {
    rate = 0
    await environment.advance(10_000)
    rate = 25
    await environment.advance(1_000)
    rate = null
    await environment.advance(10_000)
    rate = 0
    detector.stop()
    await environment.advance(10_000)
    expect(heard).toEqual([])
  })
})
