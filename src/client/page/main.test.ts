import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const started: string[] = []
vi.mock('../features/accounts/sessions/start-session.ts', () => ({ startSession: () => started.push('session') }))
vi.mock('../core/ui/forms/check-forms.ts', () => ({ checkForms: () => started.push('forms') }))
vi.mock('../core/islands/hydrate.ts', () => ({ hydrateIslands: () => started.push('islands') }))
vi.mock('../core/navigation/navigate.ts', () => ({ startNavigation: () => started.push('navigation') }))
vi.mock('../core/loading/load-lazy.ts', () => ({ loadLazy: <T>(load: () => Promise<T>) => load() }))

/** Evaluates main.ts on a page; returns a function that lets the page paint. */
async function load(page: string): Promise<() => void> {
  const isRoom = (selector: string) => selector === `main[data-page="${page}"]`
  vi.stubGlobal('document', { hidden: false, querySelector: (selector: string) => (isRoom(selector) ? {} : null) })
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => frames.push(run))
  vi.resetModules()
  await import('./main.ts')
  return () => {
    for (const run of frames) run(performance.now())
  }
}

describe('[SHELL-127] the scripts of a page', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    started.length = 0
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('wait for the first paint of a room, and start its islands in a task after that of the session', async () => {
    const paint = await load('room/[id]')
    paint()
    expect(started).toEqual([])
    vi.advanceTimersToNextTimer()
    expect(started).toEqual(['session', 'forms'])
    vi.advanceTimersToNextTimer()
    expect(started).toEqual(['session', 'forms', 'islands'])
    await vi.waitUntil(() => started.includes('navigation'))
  })

  it('complete the forms of another page at once, and hydrate its islands after the first paint', async () => {
    const paint = await load('index')
    expect(started).toEqual(['session', 'forms'])
    paint()
    vi.advanceTimersToNextTimer()
    expect(started).toEqual(['session', 'forms', 'islands'])
  })
})
