import type { Browser, Page } from 'playwright-core'
import { type Device, devices, measureInBrowser, visitPage, waitForExpression } from './measure/browser.ts'
import { exerciseLanding, exerciseRoom } from './measure/exercise-page.ts'
import { createFilledRoom, type FilledRoom } from './measure/full-room.ts'
import {
  cumulativeLayoutShift,
  type PageTimings,
  readPageTimings,
  recordPageTimings,
  totalBlockingTime,
} from './measure/page-timings.ts'
import { compareFigure, type Figure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { type ListPage, startListPage } from './peers/list-page.ts'

const ROUNDS = 7
const PEOPLE = 2_000
const SLOWDOWN = 4
const LIVE_TIMEOUT_MS = 60_000
/** Loading counts as complete after this long without a long task. */
const QUIET_MS = 500
/** A twentieth of the goal. */
const MIN_NOTED_SHIFT = 0.001

/** Metrics of one page load and, optionally, its use. */
interface PageLoadResult {
  lcpMs: number
  tbtMs: number
  cls: number
  shifts: PageTimings['shifts']
  slowest: { ms: number; what: string }
}

/** Web vitals of the landing page and a room on a slow machine. */
export function measure(): Promise<Report> {
  return measureInBrowser(async (browser) => {
    const room = await createFilledRoom(PEOPLE)
    const peer = await startListPage(room.messages, room.styles).catch(async (error) => {
      await room.site.stop()
      throw error
    })
    try {
      const reports: Report[] = []
      for (const device of Object.keys(devices) as Device[]) reports.push(await measureOn(device, browser, room, peer))
      return {
        figures: reports.flatMap(({ figures }) => figures),
        notes: [
          `Chromium ${browser.version()}, processor slowed ${SLOWDOWN}x, nothing cached; ${PEOPLE} people with a connection each in the room, ${room.messages.length} messages.`,
          'LCP against the same page without its scripts; TBT against bare React that hydrates the same messages after its first paint. CLS and INP over loading and using: typing, sending, people, rooms, scrolling.',
          ...reports.flatMap(({ notes }) => notes),
        ],
      }
    } finally {
      await peer.stop()
      await room.site.stop()
    }
  })
}

async function measureOn(device: Device, browser: Browser, room: FilledRoom, peer: ListPage): Promise<Report> {
  const landing = { device, url: room.site.server.origin, slowdown: SLOWDOWN }
  const inside = { device, url: room.url, cookie: room.owner, slowdown: SLOWDOWN }
  const loads = await interleave(ROUNDS, {
    landing: () => measureLoad(browser, landing, (page) => exerciseLanding(page, device)),
    bareLanding: () => measureLoad(browser, { ...landing, isBare: true }),
    room: () => measureLoad(browser, inside, (page) => exerciseRoom(page, device)),
    bareRoom: () => measureLoad(browser, { ...inside, isBare: true }),
    list: () => measureLoad(browser, { device, url: peer.url, slowdown: SLOWDOWN }),
  })
  const lcp = (all: PageLoadResult[]) => all.map(({ lcpMs }) => lcpMs)
  const own = (name: string, all: PageLoadResult[]): Figure[] => [
    standaloneFigure(
      `${name}, CLS`,
      'of the screen',
      all.map(({ cls }) => cls),
      { atMost: 0.02 },
    ),
    standaloneFigure(
      `${name}, INP`,
      'ms',
      all.map(({ slowest }) => slowest.ms),
      { atMost: 200 },
    ),
  ]
  return {
    figures: [
      compareFigure(`${device}: landing, LCP`, 'ms', lcp(loads.landing), lcp(loads.bareLanding), { atMost: 1.1 }),
      standaloneFigure(`${device}: landing, TBT`, 'ms', tbt(loads.landing)),
      ...own(`${device}: landing`, loads.landing),
      compareFigure(`${device}: room, LCP`, 'ms', lcp(loads.room), lcp(loads.bareRoom), { atMost: 1.1 }),
      compareFigure(`${device}: room, TBT`, 'ms', tbt(loads.room), tbt(loads.list), { atMost: 1 }),
      ...own(`${device}: room`, loads.room),
    ],
    notes: [
      `${device}: slowest interactions were ${describeSlowest([...loads.landing, ...loads.room])}.`,
      `${device}: layout shifts: ${describeShifts([...loads.landing, ...loads.room])}.`,
    ],
  }
}

/** At least 1 ms, so that a page without blocking has a ratio. */
function tbt(loads: PageLoadResult[]): number[] {
  return loads.map(({ tbtMs }) => Math.max(1, tbtMs))
}

function measureLoad(
  browser: Browser,
  to: Parameters<typeof visitPage>[1],
  use?: (page: Page) => Promise<void>,
): Promise<PageLoadResult> {
  return visitPage(browser, to, async (page, cdp) => {
    await recordPageTimings(page)
    await page.goto(to.url)
    if (!to.isBare) await waitForExpression(cdp, IS_LIVE_EXPRESSION, LIVE_TIMEOUT_MS)
    await waitForExpression(cdp, IS_QUIET_EXPRESSION, LIVE_TIMEOUT_MS)
    const loaded = await readPageTimings(page)
    await use?.(page)
    const pageTimings = use ? await readPageTimings(page) : loaded
    const [slowest] = Object.values(pageTimings.interactions).toSorted((a, b) => b.ms - a.ms)
    return {
      lcpMs: loaded.largestPaint,
      tbtMs: totalBlockingTime(loaded),
      cls: cumulativeLayoutShift(pageTimings),
      shifts: pageTimings.shifts,
      slowest: slowest ?? { ms: 0, what: 'nothing' },
    }
  })
}

/** True when every island with trigger load, afterLoad or idle is live; on the peer's page, when the list is. */
const IS_LIVE_EXPRESSION = `document.querySelector('m-island')
  ? [...document.querySelectorAll('m-island:is([data-on=load], [data-on=afterLoad], [data-on=idle])')].every(({ dataset }) => 'live' in dataset)
  : 'isLive' in document.documentElement.dataset`

const IS_QUIET_EXPRESSION = `pageTimings.largestPaint > 0 && performance.getEntriesByType('navigation')[0].loadEventEnd > 0 &&
  performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd > ${QUIET_MS} &&
  pageTimings.longTasks.every(({ at, ms }) => performance.now() - (at + ms) > ${QUIET_MS})`

function describeSlowest(loads: PageLoadResult[]): string {
  const [first, second] = loads.map(({ slowest }) => slowest).toSorted((a, b) => b.ms - a.ms)
  return [first, second].map((interaction) => `${interaction?.what} (${interaction?.ms} ms)`).join(' and ')
}

/** Those that count towards the score, with the time since the last input: on a busy machine a redraw comes late. */
function describeShifts(loads: PageLoadResult[]): string {
  const moved = loads.flatMap(({ shifts }) => shifts).filter(({ value }) => value > MIN_NOTED_SHIFT)
  const texts = moved.map(({ value, what, sinceInputMs }) => {
    const since = sinceInputMs === null ? 'before any input' : `${Math.round(sinceInputMs)} ms after an input`
    return `${what.join(' and ')} by ${value.toFixed(3)}, ${since}`
  })
  return texts.join('; ') || 'nothing'
}
