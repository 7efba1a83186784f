import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, openDesktopPage } from '../tests/drivers/browser.ts'
import { compareFigure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 2_000)
/** A brisk finger: half a screen's height of rows in a frame would be read by nobody. */
const PX_PER_FRAME = 60
const FRAMES = 300
/** At 60 frames a second one lasts 16.7 ms; more than this is a frame that was missed. */
const MISSED_FRAME_MS = 25

interface ScrollResult {
  /** Of a hundred frames. */
  missed: number
  longestMs: number
  /** What the page's main thread worked for each frame: what others do on the machine counts little in it. */
  workMs: number
}

/** Scrolling through the people of a full room in Chromium, against all of the same rows in the page without a script. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  const browser = await launchBrowser()
  try {
    const crowd = await connectAll(await site.prepareClients(PEOPLE))
    const roomId = await site.openRoom(crowd)
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
    for (const visitor of crowd) visitor.close()
    const each = (of: keyof ScrollResult, rows: ScrollResult[]) => rows.map((one) => one[of])
    return {
      figures: [
        compareFigure('main thread', 'ms a frame', each('workMs', rounds.ours), each('workMs', rounds.plain)),
        compareFigure('longest frame', 'ms', each('longestMs', rounds.ours), each('longestMs', rounds.plain)),
        // Not as a ratio: a quiet machine misses none.
        standaloneFigure('frames missed', 'of a hundred', each('missed', rounds.ours)),
        standaloneFigure('frames missed, all rows in the page', 'of a hundred', each('missed', rounds.plain)),
      ],
      notes: [
        `${PEOPLE} people, ${FRAMES} frames of ${PX_PER_FRAME} px each; a frame of over ${MISSED_FRAME_MS} ms was missed. In the first round the people are loaded on the way.`,
        'The peer has every row in the page from the start, and runs no script while it scrolls.',
      ],
    }
  } finally {
    await browser.close()
    await site.stop()
  }
}

/** As many of the rows that are drawn as there are people, over the panel. */
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
  const worked = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await worked()
  const frames = await scroll(page, selector)
  return { ...frames, workMs: ((await worked()) - before) / FRAMES }
}

function scroll(page: Page, selector: string): Promise<Omit<ScrollResult, 'workMs'>> {
  const how = { selector, frames: FRAMES, px: PX_PER_FRAME, missedMs: MISSED_FRAME_MS }
  return page.evaluate(async ({ selector, frames, px, missedMs }) => {
    const scroller = document.querySelector<HTMLElement>(selector)
    const plain = document.querySelector<HTMLElement>('#plain')
    if (!scroller || !plain) throw new Error(`there is no ${selector}`)
    plain.hidden = scroller !== plain
    plain.style.display = plain.hidden ? 'none' : ''
    scroller.scrollTop = 0
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let n = 0; n < 10; n++) await frame()
    const lasted: number[] = []
    let before = await frame()
    for (let n = 0; n < frames; n++) {
      scroller.scrollTop += px
      const now = await frame()
      lasted.push(now - before)
      before = now
    }
    const missed = lasted.filter((ms) => ms > missedMs).length
    return { missed: (missed * 100) / frames, longestMs: Math.max(...lasted) }
  }, how)
}
