import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onLongPress } from './message-menu.tsx'

/** An element that is its own closest match. */
class FakeElement extends EventTarget {
  closest = () => this
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Element', FakeElement)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('[DM-57] a tap after a long press that a scroll has cancelled is an ordinary tap, and a scroll is not interrupted', () => {
  const element = new FakeElement()
  const run = vi.fn()
  // Only what the function uses of an element.
  onLongPress(element as unknown as HTMLElement, '*', run, new AbortController().signal)
  const dispatch = (name: string, cancelable = true) => {
    const touches = [{ clientX: 1, clientY: 2 }]
    const event = Object.assign(new Event(name, { cancelable }), { touches })
    element.dispatchEvent(event)
    return event.defaultPrevented
  }
  const press = () => {
    dispatch('touchstart')
    vi.advanceTimersByTime(500)
  }
  press()
  expect(run).toHaveBeenCalledTimes(1)
  expect(dispatch('touchend')).toBe(true)
  press()
  dispatch('touchcancel')
  dispatch('touchstart')
  expect(dispatch('touchend')).toBe(false)
  press()
  expect(dispatch('touchend', false)).toBe(false)
})
