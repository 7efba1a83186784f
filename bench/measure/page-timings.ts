import type { Page } from 'playwright-core'

/** Performance entries of a page since its navigation; times in milliseconds. */
export interface PageTimings {
  firstPaint: number
  /** Time of the largest contentful paint before the first interaction. */
  largestPaint: number
  longTasks: { at: number; ms: number }[]
  /**
   * Layout shifts without input in the last 500 ms, except those of older messages above the reader: their score, the
   * elements that moved, and the time since an input.
   */
  shifts: { at: number; value: number; what: string[]; sinceInputMs: number | null }[]
  /** The longest event of each interaction, by interaction id, with its target. */
  interactions: Record<number, { ms: number; what: string }>
  /** Frames that took longer than 50 ms from start to paint. */
  longFrames: number[]
}

declare global {
  var pageTimings: PageTimings
}

/** Layout Instability (W3C); TypeScript's DOM types do not have it. */
interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  /** 0 before the first one. */
  lastInputTime: number
  sources: { node: Node | null }[]
}

/** The entry of each observed type, as Chromium documents it. */
interface ObservedEntries {
  paint: PerformanceEntry
  'largest-contentful-paint': PerformanceEntry
  longtask: PerformanceEntry
  'layout-shift': LayoutShift
  event: PerformanceEventTiming & { interactionId: number }
  'long-animation-frame': PerformanceEntry
}

/** Starts recording the entries of the web vitals before any script of the page. */
export async function recordPageTimings(page: Page): Promise<void> {
  await page.addInitScript(startRecording)
}

export function readPageTimings(page: Page): Promise<PageTimings> {
  return page.evaluate(() => globalThis.pageTimings)
}

/** Runs in the page. Source of each: web.dev/articles/vitals and the specifications of the entries. */
function startRecording(): void {
  const pageTimings: PageTimings = {
    firstPaint: 0,
    largestPaint: 0,
    longTasks: [],
    shifts: [],
    interactions: {},
    longFrames: [],
  }
  globalThis.pageTimings = pageTimings
  const nameOf = (node: Node | null): string =>
    node instanceof Element ? `${node.localName}.${[...node.classList].join('.')}` : (node?.nodeName ?? 'gone')
  const observe = <T extends keyof ObservedEntries>(
    type: T,
    note: (entry: ObservedEntries[T]) => void,
    options: object = {},
  ) =>
    new PerformanceObserver((list) => {
      // An observer of one type gets entries of that type only.
      for (const entry of list.getEntries() as ObservedEntries[T][]) note(entry)
    }).observe({ type, buffered: true, ...options })

  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') pageTimings.firstPaint = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    pageTimings.largestPaint = startTime
  })
  observe('longtask', ({ startTime, duration }) => pageTimings.longTasks.push({ at: startTime, ms: duration }))
  // Chromium counts what is added above a reversed column as a shift of what is in view, which stays where it is.
  const isInReversedScroller = (node: Node | null): boolean =>
    node instanceof Element && (node.closest('.thread')?.scrollTop ?? 0) < 0
  observe('layout-shift', ({ startTime, value, hadRecentInput, lastInputTime, sources }) => {
    if (hadRecentInput || sources.every(({ node }) => isInReversedScroller(node))) return
    const what = sources.map(({ node }) => nameOf(node))
    const sinceInputMs = lastInputTime > 0 ? startTime - lastInputTime : null
    pageTimings.shifts.push({ at: startTime, value, what, sinceInputMs })
  })
  observe(
    'event',
    ({ interactionId, duration, name, target }) => {
      if (!interactionId) return
      const longest = pageTimings.interactions[interactionId]
      if (!longest || longest.ms < duration)
        pageTimings.interactions[interactionId] = { ms: duration, what: `${name} ${nameOf(target)}` }
    },
    { durationThreshold: 16 },
  )
  observe('long-animation-frame', ({ duration }) => pageTimings.longFrames.push(duration))
}

/** Total blocking time in ms: the part of each long task after the first paint that exceeds 50 ms. */
export function totalBlockingTime({ firstPaint, longTasks }: PageTimings): number {
  return longTasks.reduce((sum, { at, ms }) => {
    const blocking = at + ms - Math.max(at, firstPaint)
    return sum + Math.max(0, blocking - 50)
  }, 0)
}

const SHIFT_GAP_MS = 1_000
const SHIFT_WINDOW_MS = 5_000

/** The highest sum of shifts in a window of at most 5 s with gaps under 1 s. */
export function cumulativeLayoutShift({ shifts }: PageTimings): number {
  let worst = 0
  let [sum, from, last] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at, value } of shifts) {
    const isSameWindow = at - last < SHIFT_GAP_MS && at - from < SHIFT_WINDOW_MS
    sum = isSameWindow ? sum + value : value
    if (!isSameWindow) from = at
    last = at
    worst = Math.max(worst, sum)
  }
  return worst
}
