import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CoalescingThrottle } from './throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('works at once when idle, and then when its window is over', () => {
  const work = vi.fn()
  const gather = new CoalescingThrottle(10, work)
  vi.advanceTimersByTime(100)
  gather.schedule()
  vi.advanceTimersByTime(0)
  expect(work).toHaveBeenCalledTimes(1)
  gather.schedule()
  gather.schedule()
  vi.advanceTimersByTime(9)
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(2)
})

it('does not wait for the end of its window once there is enough, and works once for it', () => {
  const work = vi.fn()
  const gather = new CoalescingThrottle(10, work)
  vi.advanceTimersByTime(100)
  gather.schedule()
  vi.advanceTimersByTime(0)
  gather.schedule()
  gather.schedule(true)
  gather.schedule(true)
  vi.advanceTimersByTime(0)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(100)
  expect(work).toHaveBeenCalledTimes(2)
})

it('asks how wide its window is when it begins', () => {
  const work = vi.fn()
  let windowMs = 3
  const gather = new CoalescingThrottle(() => windowMs, work)
  vi.advanceTimersByTime(100)
  gather.schedule()
  vi.advanceTimersByTime(0)
  gather.schedule()
  vi.advanceTimersByTime(3)
  expect(work).toHaveBeenCalledTimes(2)
  windowMs = 10
  gather.schedule()
  vi.advanceTimersByTime(9)
  expect(work).toHaveBeenCalledTimes(2)
})
