import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadChunk } from './load-chunk.ts'
import { loadLazy } from './load-lazy.ts'

/** Longer than all retries of one load. */
const RETRIES_MS = 10_000

let fetchFile: ReturnType<typeof vi.fn<typeof fetch>>
let page: EventTarget
let partCount = 0

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  fetchFile = vi.fn<typeof fetch>()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('document', Object.assign(new EventTarget(), { head: { querySelectorAll: () => [] } }))
  vi.stubGlobal('fetch', fetchFile)
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const cutOff = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))
const answer = (status: number) => (): Promise<Response> => Promise.resolve(new Response('', { status }))

/** Loads a part whose code is a new file, and notes its outcome. */
function startLoad(evaluate: () => Promise<string> = async () => 'code'): { outcome: unknown } {
  const part = { outcome: 'pending' as unknown }
  const file = `assets/part-${++partCount}.js`
  loadLazy(() => loadChunk(evaluate, [file])).then(
    (code) => Object.assign(part, { outcome: code }),
    (error) => Object.assign(part, { outcome: error }),
  )
  return part
}

it.each(['meydan:connected', 'online', 'pointerdown', 'keydown', 'click'])(
  '[SHELL-36] a part whose file cannot be fetched is loaded after the event %s, and only warns meanwhile',
  async (event) => {
    fetchFile.mockImplementation(cutOff)
    const part = startLoad()
    await vi.advanceTimersByTimeAsync(RETRIES_MS)
    expect(fetchFile).toHaveBeenCalledTimes(3)
    expect(console.warn).toHaveBeenCalledOnce()

    fetchFile.mockImplementation(answer(200))
    await vi.advanceTimersByTimeAsync(RETRIES_MS)
    expect(part.outcome).toBe('pending')
    page.dispatchEvent(new Event(event))
    await vi.advanceTimersByTimeAsync(0)
    expect(part.outcome).toBe('code')
    expect(fetchFile).toHaveBeenCalledTimes(4)
  },
)

it('[SHELL-36] a part waits through several lost connections, also through a server that refuses', async () => {
  const part = startLoad()
  for (const fetchNow of [cutOff, answer(503), cutOff]) {
    fetchFile.mockImplementation(fetchNow)
    page.dispatchEvent(new Event('meydan:connected'))
    await vi.advanceTimersByTimeAsync(RETRIES_MS)
    expect(part.outcome).toBe('pending')
  }
  fetchFile.mockImplementation(answer(200))
  page.dispatchEvent(new Event('meydan:connected'))
  await vi.advanceTimersByTimeAsync(0)
  expect(part.outcome).toBe('code')
})

it('[SHELL-36] a connection that returns before the last try has failed counts', async () => {
  const lastTry = Promise.withResolvers<Response>()
  fetchFile.mockImplementationOnce(cutOff).mockImplementationOnce(cutOff).mockReturnValueOnce(lastTry.promise)
  const part = startLoad()
  await vi.advanceTimersByTimeAsync(RETRIES_MS)
  page.dispatchEvent(new Event('meydan:connected'))
  fetchFile.mockImplementation(answer(200))
  lastTry.reject(new DOMException('', 'TimeoutError'))
  await vi.advanceTimersByTimeAsync(0)
  expect(part.outcome).toBe('code')
})

it('[SHELL-36] [LIVE-35] a part whose file an upgrade removed rejects at once and asks for a reload', async () => {
  const outdated = vi.fn()
  document.addEventListener('meydan:outdated', outdated)
  fetchFile.mockImplementation(answer(404))
  const part = startLoad()
  await vi.advanceTimersByTimeAsync(RETRIES_MS)
  page.dispatchEvent(new Event('meydan:connected'))
  await vi.advanceTimersByTimeAsync(RETRIES_MS)
  expect(part.outcome).toMatchObject({ message: expect.stringMatching(/answered 404/) })
  expect(fetchFile).toHaveBeenCalledOnce()
  expect(outdated).toHaveBeenCalledOnce()
})

it('[SHELL-36] a part whose code throws rejects and is not retried', async () => {
  fetchFile.mockImplementation(answer(200))
  const bug = new TypeError('x is undefined')
  const part = startLoad(() => Promise.reject(bug))
  await vi.advanceTimersByTimeAsync(0)
  expect(part.outcome).toBe(bug)
  expect(console.warn).not.toHaveBeenCalled()
})
