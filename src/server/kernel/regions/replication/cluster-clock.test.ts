import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClusterClock } from './cluster-clock.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000

describe('the cluster clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Takes one sample with these latencies. `theirs` is the primary's clock when it is asked. */
  const exchange = (
    clock: ReturnType<typeof createClusterClock>,
    theirs: () => number,
    [there, back]: [number, number],
  ) => {
    const askedAt = performance.now()
    vi.advanceTimersByTime(there)
    const primaryTime = theirs()
    vi.advanceTimersByTime(back)
    clock.addSample(primaryTime, askedAt, performance.now())
  }

  it("[REG-18] is this machine's clock before the first sample", () => {
    const clock = createClusterClock(() => 1234)
    expect(clock.now()).toBe(1234)
    expect(clock.offsetMs()).toBe(0)
  })

  it.each([HOUR_MS, -HOUR_MS, 3])('[REG-18] follows the clock of the primary, %d ms ahead', (ahead) => {
    const clock = createClusterClock(Date.now)
    exchange(clock, () => Date.now() + ahead, [10, 10])
    expect(clock.now()).toBe(Date.now() + ahead)
    expect(clock.offsetMs()).toBe(ahead)
  })

  it('[REG-18] uses the sample with the shortest round trip', () => {
    const clock = createClusterClock(Date.now)
    const theirs = () => Date.now() + HOUR_MS
    exchange(clock, theirs, [900, 100])
    expect(clock.offsetMs()).toBe(HOUR_MS + 400)
    exchange(clock, theirs, [5, 5])
    expect(clock.offsetMs()).toBe(HOUR_MS)
    exchange(clock, theirs, [100, 700])
    expect(clock.offsetMs()).toBe(HOUR_MS)
  })

  it('[REG-18] has whole milliseconds', () => {
    const clock = createClusterClock(Date.now)
    exchange(clock, () => Date.now() + HOUR_MS, [7, 4])
    expect(clock.now()).toSatisfy(Number.isInteger)
    expect(clock.offsetMs()).toSatisfy(Number.isInteger)
  })

  it('[REG-18] does not jitter within the error of its samples', () => {
    const clock = createClusterClock(Date.now)
    const offsets = new Set<number>()
    for (let times = 0; times < 100; times++) {
      exchange(clock, () => Date.now() + HOUR_MS, times % 2 ? [8, 16] : [16, 8])
      vi.advanceTimersByTime(SECOND_MS)
      offsets.add(clock.offsetMs())
    }
    expect(offsets.size).toBe(1)
  })

  it('[REG-18] follows at once when the clock of the primary is set', () => {
    const clock = createClusterClock(Date.now)
    exchange(clock, () => Date.now(), [1, 1])
    exchange(clock, () => Date.now() + HOUR_MS, [30, 30])
    expect(clock.offsetMs()).toBe(HOUR_MS)
  })

  it('[REG-18] is unchanged from the next sample on after the clock of this machine was set', () => {
    let set = 0
    const clock = createClusterClock(() => Date.now() + set)
    exchange(clock, () => Date.now(), [1, 1])
    set = HOUR_MS
    exchange(clock, () => Date.now(), [30, 30])
    expect(clock.now()).toBe(Date.now())
  })

  it('[REG-18] is right also when a sample arrives late', () => {
    const clock = createClusterClock(Date.now)
    const at = performance.now()
    const theirs = Date.now() + HOUR_MS
    vi.advanceTimersByTime(700)
    clock.addSample(theirs, at, at)
    expect(clock.offsetMs()).toBe(HOUR_MS)
  })

  it('[REG-18] drops samples older than 30 s', () => {
    const clock = createClusterClock(Date.now)
    let drift = 0
    exchange(clock, () => Date.now() + drift, [1, 1])
    for (let seconds = 0; seconds < 60; seconds++) {
      drift += 0.2
      exchange(clock, () => Date.now() + drift, [2, 2])
      vi.advanceTimersByTime(SECOND_MS)
    }
    expect(Math.abs(clock.offsetMs() - drift)).toBeLessThan(0.2 * 30 + 4)
  })

  it('[REG-18] is off by at most the shortest round trip and the resolution of clocks', () => {
    const seed = 20_261_122
    const ways = fc.array(fc.tuple(fc.nat(300), fc.nat(300)), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(ways, fc.integer({ min: -HOUR_MS, max: HOUR_MS }), (trips, ahead) => {
        const clock = createClusterClock(Date.now)
        for (const trip of trips) exchange(clock, () => Date.now() + ahead, trip)
        const quickest = Math.min(...trips.map(([there, back]) => there + back))
        // The error of a used sample is half its round trip, and that of the kept offset as much again.
        expect(Math.abs(clock.offsetMs() - ahead)).toBeLessThanOrEqual(quickest + 2)
      }),
      { seed },
    )
  })
})
