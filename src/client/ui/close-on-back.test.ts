import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeOnBack, closeOnBackAbovePart } from './close-on-back.ts'

/** A history whose `back` takes effect later, as in browsers. */
class FakeHistory extends EventTarget {
  private readonly entries: { state: unknown; path: string }[] = [{ state: null, path: '/room/1' }]
  private index = 0

  get state(): unknown {
    return this.entries[this.index]?.state
  }

  get path(): string {
    return this.entries[this.index]?.path ?? ''
  }

  pushState(state: unknown, _: string, path = this.path): void {
    this.entries.splice(++this.index, Number.POSITIVE_INFINITY, { state, path })
  }

  replaceState(state: unknown, _: string, path = this.path): void {
    this.entries[this.index] = { state, path }
  }

  back(): void {
    this.go(-1)
  }

  go(steps: number): void {
    setTimeout(() => {
      this.index += steps
      this.dispatchEvent(new Event('popstate'))
    })
  }
}

let history: FakeHistory

beforeEach(() => {
  vi.useFakeTimers()
  history = new FakeHistory()
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', {
    get pathname() {
      return history.path.split('?')[0]
    },
    get search() {
      return history.path.slice(history.path.split('?')[0]?.length)
    },
  })
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

it('[PROF-44] a part with a URL has it while it is open, and the part in its place does not', async () => {
  const end = closeOnBack('profile:ada', vi.fn(), '/room/1?profil=Ada')
  expect(history.path).toBe('/room/1?profil=Ada')
  end()
  const endWindow = closeOnBack('window', vi.fn())
  expect(history.path).toBe('/room/1')
  endWindow()
  closeOnBack('profile:can', vi.fn(), '/room/1?profil=Can')
  expect(history.path).toBe('/room/1?profil=Can')
  history.back()
  await vi.runAllTimersAsync()
  expect([history.path, history.state]).toEqual(['/room/1', null])
})

it('[PROF-44] Back closes one of three parts at a time, and a part opened again by Forward uses its entry', async () => {
  const closes = [vi.fn(), vi.fn(), vi.fn()]
  const ends = closes.map((close, index) => closeOnBack(`part ${index}`, close, `/room/1?profil=${index}`))
  history.back()
  await vi.runAllTimersAsync()
  expect(closes.map((close) => close.mock.calls.length)).toEqual([0, 0, 1])
  ends[2]?.()
  history.go(1)
  await vi.runAllTimersAsync()
  const closeAgain = vi.fn()
  closeOnBack('part 2', closeAgain, '/room/1?profil=2')
  history.back()
  await vi.runAllTimersAsync()
  expect([closeAgain.mock.calls.length, closes[1]?.mock.calls.length, history.path]).toEqual([1, 0, '/room/1?profil=1'])
})

it.each(['the window', 'the viewer'])(
  '[DM-75] A window and the viewer over it leave no entry when both close at once, %s first',
  async (first) => {
    const [closeWindow, closeViewer] = [vi.fn(), vi.fn()]
    const ends = [closeOnBack('window', closeWindow), closeOnBack('viewer', closeViewer)]
    for (const end of first === 'the window' ? ends : ends.reverse()) end()
    await vi.runAllTimersAsync()
    expect(history.state).toBeNull()
    expect([closeWindow, closeViewer].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  },
)

it('[DM-75] The entry of a window that closed under the viewer is left with that of the viewer, once', async () => {
  const close = vi.fn()
  closeOnBack('page', close)
  const endWindow = closeOnBack('window', vi.fn())
  closeOnBack('viewer', vi.fn())
  endWindow()
  history.back()
  await vi.runAllTimersAsync()
  expect(history.state).toMatchObject({ openPart: 'page' })
  expect(close).not.toHaveBeenCalled()
  closeOnBack('window', vi.fn())
  await vi.runAllTimersAsync()
  expect(history.state).toMatchObject({ openPart: 'window', depth: 2 })
})

it('[DM-75] A window that opens again over the viewer is closed by Back, and its first entry is left later', async () => {
  const close = vi.fn()
  const end = closeOnBack('window', vi.fn())
  const closeViewer = vi.fn(() => endViewer())
  const endViewer = closeOnBack('viewer', closeViewer)
  end()
  closeOnBack('window', close)
  history.back()
  await vi.runAllTimersAsync()
  expect([close.mock.calls.length, closeViewer.mock.calls.length]).toEqual([1, 0])
  history.back()
  await vi.runAllTimersAsync()
  expect([closeViewer.mock.calls.length, history.state]).toEqual([1, null])
})

it('[SHELL-37] Back closes a dialog above a profile before the profile, and one above the page has no entry', async () => {
  closeOnBackAbovePart('dialog', vi.fn())
  expect(history.state).toBeNull()
  const closeProfile = vi.fn()
  closeOnBack('profile', closeProfile, '/room/1?profil=Ada')
  const closeDialog = vi.fn()
  const end = closeOnBackAbovePart('dialog', closeDialog)
  history.back()
  await vi.runAllTimersAsync()
  expect([closeDialog.mock.calls.length, closeProfile.mock.calls.length]).toEqual([1, 0])
  end()
  closeOnBackAbovePart('dialog', closeDialog)()
  await vi.runAllTimersAsync()
  expect(history.path).toBe('/room/1?profil=Ada')
  history.back()
  await vi.runAllTimersAsync()
  expect([closeDialog.mock.calls.length, closeProfile.mock.calls.length, history.path]).toEqual([1, 1, '/room/1'])
})

it('[SHELL-37] A dialog that opens as a profile closes does not take its entry', async () => {
  closeOnBack('profile', vi.fn(), '/room/1?profil=Ada')()
  const close = vi.fn()
  closeOnBackAbovePart('dialog', close)
  await vi.runAllTimersAsync()
  expect([history.state, history.path, close.mock.calls.length]).toEqual([null, '/room/1', 0])
})

it('[SHELL-37] A part that opens while an entry is being left stays open, and Back closes it', async () => {
  closeOnBack('first', vi.fn())()
  await Promise.resolve()
  const [close, closeUnopened] = [vi.fn(), vi.fn()]
  closeOnBack('second', close)
  closeOnBack('closed at once', closeUnopened)()
  await vi.runAllTimersAsync()
  expect([history.state, close.mock.calls.length]).toMatchObject([{ openPart: 'second' }, 0])
  history.back()
  await vi.runAllTimersAsync()
  expect([history.state, close.mock.calls.length, closeUnopened.mock.calls.length]).toEqual([null, 1, 0])
})
