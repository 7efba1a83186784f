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

const ROUNDS = 5
const PEOPLE = 2_000
const SLOWDOWN = 4
const LIVE_TIMEOUT_MS = 60_000
/** Nothing more is to come of loading when the page was not busy for so long. */
const QUIET_MS = 500

/** A page that was loaded, and maybe used. */
interface PageLoadResult {
  lcpMs: number
  tbtMs: number
  cls: number
  shifts: PageTimings['shifts']
  slowest: { ms: number; what: string }
}

/** How landing and room come to somebody on a slow machine, and how they answer. */
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
          `Chromium ${browser.version()}, processor slowed ${SLOWDOWN}x, nothing cached; ${PEOPLE} people with lines of their own in the room, ${room.messages.length} messages.`,
          'LCP beside the same page without its scripts; TBT beside bare React hydrating the same messages, nothing else on its page. CLS and INP over loading and using: typing, sending, people, rooms, scrolling.',
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
    ),
  ]
  return {
    figures: [
      compareFigure(`${device}: landing, LCP`, 'ms', lcp(loads.landing), lcp(loads.bareLanding), { atMost: 1.15 }),
      standaloneFigure(`${device}: landing, TBT`, 'ms', tbt(loads.landing)),
      ...own(`${device}: landing`, loads.landing),
      compareFigure(`${device}: room, LCP`, 'ms', lcp(loads.room), lcp(loads.bareRoom), { atMost: 1.15 }),
      compareFigure(`${device}: room, TBT`, 'ms', tbt(loads.room), tbt(loads.list), { atMost: 1.3 }),
      ...own(`${device}: room`, loads.room),
    ],
    notes: [
      `${device}: slowest to answer were ${describeSlowest([...loads.landing, ...loads.room])}.`,
      `${device}: what moved: ${describeShifts([...loads.landing, ...loads.room])}.`,
    ],
  }
}

/** One that never blocks still has a ratio. */
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
    const noted = use ? await readPageTimings(page) : loaded
    const [slowest] = Object.values(noted.interactions).toSorted((a, b) => b.ms - a.ms)
    return {
      lcpMs: loaded.largestPaint,
      tbtMs: totalBlockingTime(loaded),
      cls: cumulativeLayoutShift(noted),
      shifts: noted.shifts,
      slowest: slowest ?? { ms: 0, what: 'nothing' },
    }
  })
}

/** Whatever becomes live by itself is. The peer's page says so of its whole. */
const IS_LIVE_EXPRESSION = `document.querySelector('m-island')
  ? [...document.querySelectorAll('m-island[data-on=load], m-island[data-on=idle]')].every(({ dataset }) => 'live' in dataset)
  : 'isLive' in document.documentElement.dataset`

const IS_QUIET_EXPRESSION = `noted.largestPaint > 0 && performance.getEntriesByType('navigation')[0].loadEventEnd > 0 &&
  performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd > ${QUIET_MS} &&
  noted.longTasks.every(({ at, ms }) => performance.now() - (at + ms) > ${QUIET_MS})`

function describeSlowest(loads: PageLoadResult[]): string {
  const [first, second] = loads.map(({ slowest }) => slowest).toSorted((a, b) => b.ms - a.ms)
  return [first, second].map((one) => `${one?.what} (${one?.ms} ms)`).join(' and ')
}

function describeShifts(loads: PageLoadResult[]): string {
  const moved = new Set(loads.flatMap(({ shifts }) => shifts.flatMap(({ what }) => what)))
  return [...moved].join(', ') || 'nothing'
}
