import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeOnBack } from './close-on-back.ts'

/** A history whose `back` takes effect later, as in browsers. */
class FakeHistory extends EventTarget {
  private readonly entries: unknown[] = [null]
  private index = 0

  get state(): unknown {
    return this.entries[this.index]
  }

  pushState(state: unknown): void {
    this.entries.splice(++this.index, Number.POSITIVE_INFINITY, state)
  }

  replaceState(state: unknown): void {
    this.entries[this.index] = state
  }

  back(): void {
    setTimeout(() => {
      this.index--
      this.dispatchEvent(new Event('popstate'))
    })
  }
}

let history: FakeHistory

beforeEach(() => {
  vi.useFakeTimers()
  history = new FakeHistory()
  vi.stubGlobal('history', history)
  vi.stubGlobal('addEventListener', history.addEventListener.bind(history))
  vi.stubGlobal('removeEventListener', history.removeEventListener.bind(history))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('[DM-26] Back closes a part, and a part that closes by itself leaves no entry', async () => {
  const close = vi.fn()
  const end = closeOnBack('window', close)
  history.back()
  await vi.runAllTimersAsync()
  expect(close).toHaveBeenCalledTimes(1)
  end()
  closeOnBack('window', close)()
  await vi.runAllTimersAsync()
  expect(history.state).toBeNull()
  expect(close).toHaveBeenCalledTimes(1)
})

it('[DM-52] Back closes the part on top first', async () => {
  const [closeWindow, closeViewer] = [vi.fn(), vi.fn()]
  closeOnBack('window', closeWindow)
  closeOnBack('viewer', closeViewer)
  history.back()
  await vi.runAllTimersAsync()
  expect(closeViewer).toHaveBeenCalledTimes(1)
  expect(closeWindow).not.toHaveBeenCalled()
})

it('[DM-26] A part that opens in place of another one stays open, and Back closes it', async () => {
  const [closeFirst, closeSecond] = [vi.fn(), vi.fn()]
  const end = closeOnBack('first', closeFirst)
  end()
  closeOnBack('second', closeSecond)
  await vi.runAllTimersAsync()
  expect(closeSecond).not.toHaveBeenCalled()
  history.back()
  await vi.runAllTimersAsync()
  expect(closeSecond).toHaveBeenCalledTimes(1)
  expect(closeFirst).not.toHaveBeenCalled()
  expect(history.state).toBeNull()
})
