import type { Browser, Page } from 'playwright-core'
import { openDesktopPage } from '../tests/drivers/browser.ts'
import { measureInBrowser } from './measure/browser.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { startDirectCallSite } from './peers/direct-call.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = 7
const CALL_TIMEOUT_MS = 30_000
/** A call rings for longer than what is prepared meanwhile takes. */
const RING_MS = 1_500

/** Milliseconds from the click on 'Kabul et' to the first decoded frame. */
interface CallStart {
  caller: number
  callee: number
  both: number
}

/** How fast a video call starts for people who have just opened their page. */
export function measure(): Promise<Report> {
  return measureInBrowser(async (browser) => {
    const site = await meydan.start()
    const direct = await startDirectCallSite()
    try {
      // The first round of each loads what browsers keep.
      await callThroughRelay(browser, site)
      await callDirectly(browser, direct.url)
      const starts = await interleave(ROUNDS, {
        ours: () => callThroughRelay(browser, site),
        peer: () => callDirectly(browser, direct.url),
      })
      const of = (side: keyof CallStart, all: CallStart[]) => all.map((start) => start[side])
      const figure = (what: string, side: keyof CallStart, goal?: { atMost: number }) =>
        compareFigure(`accept to first frame, ${what}`, 'ms', of(side, starts.ours), of(side, starts.peer), goal)
      return {
        figures: [
          figure('both sides', 'both', { atMost: 1.3 }),
          figure('caller', 'caller'),
          figure('callee', 'callee'),
        ],
        notes: [
          `Chromium ${browser.version()}, fake devices of 1280x720, two new pages for each call, over the relay of a site on this machine against two pages that are each other's only peer.`,
          'Both callers have their devices open and their offer sent while it rings, and both callees open theirs at the press; the browser does not ask. Both pages show both pictures. Ours prefer H.264, the others have the default of the browser.',
        ],
      }
    } finally {
      await direct.stop()
      await site.stop()
    }
  })
}

async function callThroughRelay(browser: Browser, site: RunningMeydan): Promise<CallStart> {
  const [caller, callee] = [await site.signInGuest(), await site.signInGuest()]
  site.allowVideoCalls()
  const url = `${site.server.origin}/room/1`
  const pages = [await openPage(browser, url, caller.cookie), await openPage(browser, url, callee.cookie)] as const
  return measureStart(pages, async ([callerPage, calleePage]) => {
    await calleePage.goto(url)
    await callerPage.goto(`${url}?profil=${callee.signedIn.user.username}`)
    await callerPage.getByRole('button', { name: 'Görüntülü ara', exact: true }).click()
  })
}

function callDirectly(browser: Browser, url: string): Promise<CallStart> {
  return openPages(browser, url).then((pages) =>
    measureStart(pages, async ([callerPage, calleePage]) => {
      await calleePage.goto(url)
      await callerPage.goto(url)
      await callerPage.getByRole('button').click()
      await calleePage.locator('[data-phase=incoming]').waitFor()
    }),
  )
}

async function openPages(browser: Browser, url: string): Promise<readonly [Page, Page]> {
  return [await openPage(browser, url), await openPage(browser, url)]
}

async function openPage(browser: Browser, url: string, cookie = ''): Promise<Page> {
  const page = await openDesktopPage(browser)
  // As of a user who has allowed them in an earlier call.
  await page.context().grantPermissions(['camera', 'microphone'], { origin: new URL(url).origin })
  const [name = '', value = ''] = cookie.split(/[=;]/)
  if (name) await page.context().addCookies([{ name, value, url }])
  await page.addInitScript(recordCallStart)
  return page
}

/** @param ring makes the first page call the second one, whose button 'Kabul et' is there when it returns or soon after */
async function measureStart(
  pages: readonly [Page, Page],
  ring: (pages: readonly [Page, Page]) => Promise<void>,
): Promise<CallStart> {
  const [callerPage, calleePage] = pages
  try {
    await ring(pages)
    const accept = calleePage.getByRole('button', { name: 'Kabul et', exact: true })
    await accept.waitFor()
    await calleePage.waitForTimeout(RING_MS)
    await accept.click()
    const [caller, callee] = await Promise.all([waitForFirstFrame(callerPage), waitForFirstFrame(calleePage)])
    const acceptedAt = await calleePage.evaluate(() => recorded().acceptedAt)
    return {
      caller: caller - acceptedAt,
      callee: callee - acceptedAt,
      both: Math.max(caller, callee) - acceptedAt,
    }
  } finally {
    await Promise.all(pages.map((page) => page.context().close()))
  }
}

async function waitForFirstFrame(page: Page): Promise<number> {
  await page.waitForFunction(() => recorded().firstFrameAt > 0, null, { timeout: CALL_TIMEOUT_MS })
  return page.evaluate(() => recorded().firstFrameAt)
}

/** Epoch milliseconds, or 0 before it happens. */
interface Recorded {
  acceptedAt: number
  firstFrameAt: number
}
declare function recorded(): Recorded

/** Chromium's own; the DOM's types lack it (MediaStreamTrack Insertable Media Processing using Streams). */
declare class MediaStreamTrackProcessor {
  constructor(options: { track: MediaStreamTrack })
  readonly readable: ReadableStream<{ close(): void }>
}

/** Notes in a page when 'Kabul et' is clicked, and when the first received frame is decoded. */
function recordCallStart(): void {
  const times: Recorded = { acceptedAt: 0, firstFrameAt: 0 }
  Object.assign(window, { recorded: () => times })
  const now = () => performance.timeOrigin + performance.now()
  const onPress = ({ target }: Event): void => {
    if (target instanceof Element && target.closest('button')?.textContent?.includes('Kabul et'))
      times.acceptedAt = now()
  }
  addEventListener('click', onPress, { capture: true })
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      this.addEventListener('track', async ({ track }) => {
        if (track.kind !== 'video') return
        const reader = new MediaStreamTrackProcessor({ track }).readable.getReader()
        const { value } = await reader.read()
        times.firstFrameAt ||= now()
        value?.close()
        await reader.cancel()
      })
    }
  }
}
