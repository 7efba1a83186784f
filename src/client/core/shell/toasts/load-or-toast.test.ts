import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LateValue } from '../../loading/late-value.ts'
import { LOAD_FAILURE_TEXT } from './toast.ts'

const toasts: string[] = []
vi.mock('./toasts.lazy.tsx', () => ({ showToast: (text: string) => toasts.push(text) }))

const { loadOrToast } = await import('./load-or-toast.ts')

const dataset: DOMStringMap = {}
const opened: string[] = []
let late: LateValue<() => Promise<string>>
const open = () =>
  loadOrToast(
    async () => late.whenSet((load) => load()),
    (name) => opened.push(name),
  )

beforeEach(() => {
  late = new LateValue()
  toasts.length = 0
  opened.length = 0
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('addEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('[SHELL-27] an early click waits with the loading indicator until its code can be loaded, and then opens', async () => {
  const clicks = Promise.all([open(), open()])
  await Promise.resolve()
  expect([dataset, opened, toasts]).toEqual([{ loading: '' }, [], []])
  late.set(async () => 'profile')
  await clicks
  expect([dataset, opened, toasts]).toEqual([{}, ['profile', 'profile'], []])
})

it('[SHELL-27] the loading indicator of a click that nothing answers hides as after a slow load', async () => {
  vi.useFakeTimers()
  void open()
  await vi.advanceTimersByTimeAsync(2_299)
  expect(dataset).toEqual({ loading: '' })
  await vi.advanceTimersByTimeAsync(1)
  expect([dataset, opened, toasts]).toEqual([{}, [], []])
})

it('[SHELL-27] a failed load is shown in a toast, and the next click loads again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isOffline = true
  late.set(async () => {
    if (isOffline) throw new Error('offline')
    return 'profile'
  })
  await open()
  await vi.waitFor(() => expect(toasts).toEqual([LOAD_FAILURE_TEXT]))
  expect([dataset, opened]).toEqual([{}, []])
  isOffline = false
  await open()
  expect(opened).toEqual(['profile'])
})

it('a click on code that is set loads it in its own task', () => {
  const load = vi.fn(async () => 'profile')
  late.set(load)
  void open()
  expect(load).toHaveBeenCalledOnce()
  expect(late.current).toBe(load)
})
