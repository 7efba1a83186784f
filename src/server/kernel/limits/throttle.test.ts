import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CoalescingThrottle } from './throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('runs at once when idle, and then at the end of its window', () => {
  const work = vi.fn()
  const throttle = new CoalescingThrottle(10, work)
  vi.advanceTimersByTime(100)
  throttle.schedule()
  vi.advanceTimersByTime(0)
  expect(work).toHaveBeenCalledTimes(1)
  throttle.schedule()
  throttle.schedule()
  vi.advanceTimersByTime(9)
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(2)
})

it('runs once without waiting for the end of its window when urgent', () => {
  const work = vi.fn()
  const throttle = new CoalescingThrottle(10, work)
  vi.advanceTimersByTime(100)
  throttle.schedule()
  vi.advanceTimersByTime(0)
  throttle.schedule()
  throttle.schedule(true)
  throttle.schedule(true)
  vi.advanceTimersByTime(0)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(100)
  expect(work).toHaveBeenCalledTimes(2)
})

it('reads the window when it starts', () => {
  const work = vi.fn()
  let windowMs = 3
  const throttle = new CoalescingThrottle(() => windowMs, work)
  vi.advanceTimersByTime(100)
  throttle.schedule()
  vi.advanceTimersByTime(0)
  throttle.schedule()
  vi.advanceTimersByTime(3)
  expect(work).toHaveBeenCalledTimes(2)
  windowMs = 10
  throttle.schedule()
  vi.advanceTimersByTime(9)
  expect(work).toHaveBeenCalledTimes(2)
})
