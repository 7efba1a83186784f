import type { Page } from 'playwright-core'

/** What a page has noted of itself since it began; times in milliseconds. */
export interface PageTimings {
  firstPaint: number
  /** Of the largest that was drawn so far, until somebody touched the page. */
  largestPaint: number
  longTasks: { at: number; ms: number }[]
  /** How much moved without anybody having asked for it, and what. */
  shifts: { at: number; value: number; what: string[] }[]
  /** The longest event of each time that somebody pressed or typed, by what it was on. */
  interactions: Record<number, { ms: number; what: string }>
  /** Frames that took longer than 50 ms from their beginning to their drawing. */
  longFrames: number[]
}

declare global {
  var noted: PageTimings
}

/** Before any script of the page: see to it that what the vitals are made of is noted. */
export async function recordPageTimings(page: Page): Promise<void> {
  await page.addInitScript(startRecording)
}

export function readPageTimings(page: Page): Promise<PageTimings> {
  return page.evaluate(() => globalThis.noted)
}

/** Runs in the page. Source of each: web.dev/articles/vitals, as the entries' own specifications have them. */
function startRecording(): void {
  const noted: PageTimings = {
    firstPaint: 0,
    largestPaint: 0,
    longTasks: [],
    shifts: [],
    interactions: {},
    longFrames: [],
  }
  globalThis.noted = noted
  const nameOf = (node: Node | null): string =>
    node instanceof Element ? `${node.localName}.${[...node.classList].join('.')}` : (node?.nodeName ?? 'gone')
  // The entries are those that Chromium documents; TypeScript's DOM types do not have all of them.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const follow = (type: string, note: (entry: any) => void, options: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options })

  follow('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.firstPaint = startTime
  })
  follow('largest-contentful-paint', ({ startTime }) => {
    noted.largestPaint = startTime
  })
  follow('longtask', ({ startTime, duration }) => noted.longTasks.push({ at: startTime, ms: duration }))
  follow('layout-shift', ({ startTime, value, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    const what = sources.map(({ node }: { node: Node | null }) => nameOf(node))
    noted.shifts.push({ at: startTime, value, what })
  })
  follow(
    'event',
    ({ interactionId, duration, name, target }) => {
      if (!interactionId) return
      const known = noted.interactions[interactionId]
      if (!known || known.ms < duration)
        noted.interactions[interactionId] = { ms: duration, what: `${name} ${nameOf(target)}` }
    },
    { durationThreshold: 16 },
  )
  follow('long-animation-frame', ({ duration }) => noted.longFrames.push(duration))
}

/** What of the long tasks after the first paint goes beyond 50 ms each: nothing can be answered meanwhile. */
export function totalBlockingTime({ firstPaint, longTasks }: PageTimings): number {
  return longTasks.reduce((sum, { at, ms }) => {
    const blocking = at + ms - Math.max(at, firstPaint)
    return sum + Math.max(0, blocking - 50)
  }, 0)
}

const SHIFT_GAP_MS = 1_000
const SHIFT_WINDOW_MS = 5_000

/** The worst window of shifts: at most 5 s, with less than a second between any two. */
export function cumulativeLayoutShift({ shifts }: PageTimings): number {
  let worst = 0
  let [sum, from, last] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at, value } of shifts) {
    const goesOn = at - last < SHIFT_GAP_MS && at - from < SHIFT_WINDOW_MS
    sum = goesOn ? sum + value : value
    if (!goesOn) from = at
    last = at
    worst = Math.max(worst, sum)
  }
  return worst
}
