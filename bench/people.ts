import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, openDesktopPage } from '../tests/drivers/browser.ts'
import { compareFigure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 2_000)
/** A fast swipe that can still be read. */
const PX_PER_FRAME = 60
const FRAMES = 300
/** A frame at 60 Hz lasts 16.7 ms; a longer one than this is a missed frame. */
const MISSED_FRAME_MS = 25

interface ScrollResult {
  /** Missed frames in a hundred. */
  missed: number
  longestMs: number
  /** CPU time of the main thread per frame; other load on the machine affects it little. */
  workMs: number
}

/** Scrolling the user list of a full room in Chromium, against a page that has all rows and runs no script. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  const browser = await launchBrowser()
  try {
    const clients = await connectAll(await site.prepareClients(PEOPLE))
    const roomId = await site.openRoom(clients)
    const { cookie } = await site.signInGuest()
    const page = await openDesktopPage(browser, { baseURL: site.server.origin })
    const [name, ...value] = cookie.split('=')
    await page.context().addCookies([{ name: name ?? '', value: value.join('='), url: site.server.origin }])
    await page.goto(`/room/${roomId}`)
    await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
    await page.locator('.panel-scroll .person').first().waitFor()
    await addPlainList(page)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const rounds = await interleave(ROUNDS, {
      ours: () => measureScroll(page, devtools, '.side-panel .panel-scroll'),
      plain: () => measureScroll(page, devtools, '#plain'),
    })
    for (const client of clients) client.close()
    const each = (key: keyof ScrollResult, rows: ScrollResult[]) => rows.map((row) => row[key])
    return {
      figures: [
        compareFigure('main thread', 'ms a frame', each('workMs', rounds.ours), each('workMs', rounds.plain)),
        compareFigure('longest frame', 'ms', each('longestMs', rounds.ours), each('longestMs', rounds.plain)),
        // Not a ratio, because a quiet machine misses none.
        standaloneFigure('frames missed', 'of a hundred', each('missed', rounds.ours)),
        standaloneFigure('frames missed, all rows in the page', 'of a hundred', each('missed', rounds.plain)),
      ],
      notes: [
        `${PEOPLE} people, ${FRAMES} frames of ${PX_PER_FRAME} px each; a frame of over ${MISSED_FRAME_MS} ms counts as missed. The first round also loads the pages of the list.`,
        'The peer has every row in the page from the start, and runs no script while it scrolls.',
      ],
    }
  } finally {
    await browser.close()
    await site.stop()
  }
}

/** Adds a list above the panel with one cloned row per user. */
function addPlainList(page: Page): Promise<void> {
  return page.evaluate((count) => {
    const panel = document.querySelector<HTMLElement>('.side-panel .panel-scroll')
    const rows = [...(panel?.querySelectorAll('li') ?? [])]
    const plain = document.createElement('div')
    plain.id = 'plain'
    plain.className = 'panel-scroll'
    Object.assign(plain.style, { position: 'fixed', inset: '65px 0 0 auto', width: '320px', zIndex: '1000' })
    const list = plain.appendChild(document.createElement('ul'))
    for (let n = 0; n < count; n++) {
      const row = rows[n % rows.length]?.cloneNode(true)
      if (row) list.append(row)
    }
    document.body.append(plain)
  }, PEOPLE)
}

async function measureScroll(page: Page, devtools: CDPSession, selector: string): Promise<ScrollResult> {
  const readWorkMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await readWorkMs()
  const frames = await scroll(page, selector)
  return { ...frames, workMs: ((await readWorkMs()) - before) / FRAMES }
}

function scroll(page: Page, selector: string): Promise<Omit<ScrollResult, 'workMs'>> {
  const options = { selector, frames: FRAMES, px: PX_PER_FRAME, missedMs: MISSED_FRAME_MS }
  return page.evaluate(async ({ selector, frames, px, missedMs }) => {
    const scroller = document.querySelector<HTMLElement>(selector)
    const plain = document.querySelector<HTMLElement>('#plain')
    if (!scroller || !plain) throw new Error(`no element matches ${selector}`)
    plain.hidden = scroller !== plain
    plain.style.display = plain.hidden ? 'none' : ''
    scroller.scrollTop = 0
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let n = 0; n < 10; n++) await frame()
    const frameTimesMs: number[] = []
    let before = await frame()
    for (let n = 0; n < frames; n++) {
      scroller.scrollTop += px
      const now = await frame()
      frameTimesMs.push(now - before)
      before = now
    }
    const missed = frameTimesMs.filter((ms) => ms > missedMs).length
    return { missed: (missed * 100) / frames, longestMs: Math.max(...frameTimesMs) }
  }, options)
}
