import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeEnvironment } from '../../../core/platform/testing/fake-environment.ts'
import type { CallQuality } from '../call-state.ts'
import { CallHarness, settle } from '../testing/call-harness.ts'
import { QualityFilter, QualityMeter, type QualitySample, qualityOf } from './quality-meter.ts'

const GOOD: QualitySample = {
  ...{ lossRatio: 0, roundTripMs: 60, jitterMs: 5, frozenMs: 0, availableBitrate: 2_000_000, isVideoSent: true },
}

describe('the quality of a connection', () => {
  it.each<[Partial<QualitySample>, CallQuality]>([
    [{}, 'good'],
    [{ lossRatio: 0.05 }, 'fair'],
    [{ lossRatio: 0.15 }, 'poor'],
    [{ roundTripMs: 400 }, 'fair'],
    [{ roundTripMs: 900 }, 'poor'],
    [{ jitterMs: 60 }, 'fair'],
    [{ frozenMs: 1_500 }, 'poor'],
    [{ availableBitrate: 100_000 }, 'poor'],
    [{ availableBitrate: 100_000, isVideoSent: false }, 'good'],
    [{ availableBitrate: null }, 'good'],
  ])('[CALLCLIENT-23] with %o is %s', (change, quality) => {
    expect(qualityOf({ ...GOOD, ...change })).toBe(quality)
  })

  it('[CALLCLIENT-23] changes after two worse samples or four better ones in a row, and never for a single one', () => {
    const words = fc.array(fc.constantFrom<CallQuality>('good', 'fair', 'poor'), { minLength: 1, maxLength: 60 })
    const rank = (quality: CallQuality) => ['good', 'fair', 'poor'].indexOf(quality)
    fc.assert(
      fc.property(words, (samples) => {
        const filter = new QualityFilter()
        const shown = samples.map((sample) => filter.add(sample))
        for (const [index, after] of shown.entries()) {
          const before = shown[index - 1]
          if (before === undefined || after === before) continue
          const direction = Math.sign(rank(after) - rank(before))
          const decisive = samples.slice(0, index + 1).slice(direction > 0 ? -2 : -4)
          const directions = decisive.map((sample) => Math.sign(rank(sample) - rank(before)))
          expect(directions).toEqual(Array(direction > 0 ? 2 : 4).fill(direction))
        }
      }),
    )
  })

  it('[CALLCLIENT-23] is read every 2 s, from what has changed since', async () => {
    const environment = new FakeEnvironment()
    const heard: CallQuality[] = []
    let packetsLost = 0
    let reads = 0
    const meter = new QualityMeter(
      environment,
      async () => {
        reads++
        return new Map([['in', { type: 'inbound-rtp', kind: 'audio', packetsReceived: reads * 100, packetsLost }]])
      },
      (quality) => heard.push(quality),
    )
    await environment.advance(6_000)
    packetsLost = 50
    await environment.advance(2_000)
    packetsLost = 100
    await environment.advance(2_000)
    expect(heard).toEqual(['good', 'good', 'good', 'poor'])
    meter.stop()
    await environment.advance(20_000)
    expect(reads).toBe(5)
  })

  it('[CALLCLIENT-23] is unknown while there is no connection', async () => {
    const page = await new CallHarness().connect()
    await page.callAndConnect()
    await page.environment.advance(4_000)
    expect(page.call?.quality).toBe('good')
    page.connection.become('failed')
    await settle()
    expect(page.call?.quality).toBeNull()
  })

  it('[CALLCLIENT-22] comes with the security code, once both certificates are known', async () => {
    const page = await new CallHarness().connect()
    await page.callAndConnect()
    await expect.poll(() => page.call?.securityCode).toMatch(/^\d{5} \d{5} \d{5}$/)
  })
})
